locals {
  inventory = {
    for side in ["outside", "inside"] : side => templatefile("${path.module}/templates/inventory.properties.tftpl", {
      name      = var.name
      placement = var.placement
      ends_at   = var.ends_at
      interface = var.interface
      mtu       = var.jumbo_frames ? 9001 : 1500
      hosts = { for key, host in local.hosts : key => {
        role    = host.role
        address = aws_instance.host[key].private_ip
        ssh     = side == "outside" ? aws_instance.host[key].public_ip : aws_instance.host[key].private_ip
      } }
    })
  }
}

output "inventory" {
  description = "Inventory for cluster-echo, as this machine reaches the hosts."
  value       = local.inventory["outside"]
}

output "inventory_inside" {
  description = "The same as one of the hosts reaches the others."
  value       = local.inventory["inside"]
}

output "clients" {
  description = "Where ssh finds the clients."
  value       = [for key, host in local.hosts : aws_instance.host[key].public_ip if !host.is_member]
}

output "image" {
  description = "What the hosts run, for the record."
  value       = distinct([for host in aws_instance.host : host.ami])
}
