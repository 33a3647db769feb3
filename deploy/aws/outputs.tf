locals {
  inventory = {
    for side in ["outside", "inside"] : side => templatefile("${path.module}/templates/inventory.properties.tftpl", {
      name      = var.name
      placement = var.placement
      ends_at   = var.ends_at
      hosts = { for key, host in local.hosts : key => {
        role    = host.role
        address = aws_instance.host[key].private_ip
        ssh     = side == "outside" ? aws_instance.host[key].public_ip : aws_instance.host[key].private_ip
      } }
    })
  }
}

output "inventory" {
  description = "Inventory for cluster-echo with the public addresses of the hosts."
  value       = local.inventory["outside"]
}

output "inventory_inside" {
  description = "Inventory for cluster-echo with the private addresses of the hosts, to use on one of them."
  value       = local.inventory["inside"]
}

output "clients" {
  description = "Public addresses of the clients."
  value       = [for key, host in local.hosts : aws_instance.host[key].public_ip if !host.is_member]
}

output "image" {
  description = "Image of the hosts."
  value       = distinct([for host in aws_instance.host : host.ami])
}
