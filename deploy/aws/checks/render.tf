# Renders the templates of deploy/aws without a provider. scripts/check-aws.sh copies it next to the variables and templates.

locals {
  rendered = {
    for role in ["member", "client"] : role => templatefile("${path.module}/templates/user-data.sh.tftpl", {
      ends_at   = var.ends_at
      mtu       = var.jumbo_frames ? 9001 : 1500
      interface = var.interface
      has_data  = role == "member"
      disk      = "Elastic Block Store"
    })
  }
}

output "member" {
  value = local.rendered["member"]
}

output "client" {
  value = local.rendered["client"]
}

output "inventory" {
  value = templatefile("${path.module}/templates/inventory.properties.tftpl", {
    name      = var.name
    placement = var.placement
    ends_at   = var.ends_at
    hosts = {
      "member-0" = { role = "member 0", address = "10.40.0.4", ssh = "203.0.113.9" }
      "client-0" = { role = "client 0", address = "10.40.0.5", ssh = "203.0.113.10" }
    }
  })
}
