# Members and load clients of cluster-echo in a placement group with its own network. To use it, see docs/aws.md.

locals {
  tags = merge(var.tags, {
    Project = "cluster-echo"
    Run     = var.name
    EndsAt  = var.ends_at
  })

  client_instance_type = var.client_instance_type == "" ? var.instance_type : var.client_instance_type

  # Zones that have both instance types, in a fixed order; without opt-in zones, which are in other cities.
  zones_with_type = sort(setintersection(
    data.aws_ec2_instance_type_offerings.member.locations,
    data.aws_ec2_instance_type_offerings.client.locations,
    data.aws_availability_zones.all_have.names,
  ))
  zones_known = length(var.zones) > 0 ? var.zones : local.zones_with_type
  zone_count  = var.placement == "cluster" ? 1 : min(var.member_count, length(local.zones_known))
  zones       = slice(local.zones_known, 0, local.zone_count)

  hosts = merge(
    { for i in range(var.member_count) : "member-${i}" => {
      role = i == 0 ? "member 0, peer" : "member ${i}", index = i, is_member = true, type = var.instance_type
    } },
    { for i in range(var.client_count) : "client-${i}" => {
      role = "client ${i}", index = i, is_member = false, type = local.client_instance_type
    } },
  )
  has_volume = var.storage != "instance-store"

  # Some types have more than one architecture.
  architectures = { for type in [data.aws_ec2_instance_type.member, data.aws_ec2_instance_type.client] :
    type.instance_type => contains(type.supported_architectures, "arm64") ? "arm64" : "x86_64"...
  }
}

data "aws_ec2_instance_type_offerings" "member" {
  location_type = "availability-zone"

  filter {
    name   = "instance-type"
    values = [var.instance_type]
  }

  lifecycle {
    postcondition {
      condition     = length(self.locations) > 0
      error_message = "No zone of ${var.region} has the instance type ${var.instance_type}."
    }
  }
}

data "aws_ec2_instance_type_offerings" "client" {
  location_type = "availability-zone"

  filter {
    name   = "instance-type"
    values = [local.client_instance_type]
  }

  lifecycle {
    postcondition {
      condition     = length(self.locations) > 0
      error_message = "No zone of ${var.region} has the instance type ${local.client_instance_type}."
    }
  }
}

data "aws_availability_zones" "all_have" {
  filter {
    name   = "opt-in-status"
    values = ["opt-in-not-required"]
  }
}

data "aws_ec2_instance_type" "member" {
  instance_type = var.instance_type
}

data "aws_ec2_instance_type" "client" {
  instance_type = local.client_instance_type
}

# The newest Amazon Linux image for each architecture in use. With a fixed kernel, because there are images with several kernels
# on the same day, and any of them may be the newest.
data "aws_ami" "linux" {
  for_each    = var.ami == "" ? toset(flatten(values(local.architectures))) : toset([])
  owners      = ["amazon"]
  most_recent = true

  filter {
    name   = "name"
    values = ["al2023-ami-2023.*-kernel-6.1-*"]
  }

  filter {
    name   = "architecture"
    values = [each.key]
  }
}

resource "aws_placement_group" "echo" {
  name            = "cluster-echo-${var.name}"
  strategy        = var.placement
  partition_count = var.placement == "partition" ? var.member_count : null
}

resource "aws_key_pair" "echo" {
  key_name   = "cluster-echo-${var.name}"
  public_key = var.ssh_public_key
}

resource "aws_instance" "host" {
  for_each = local.hosts

  ami           = var.ami != "" ? var.ami : data.aws_ami.linux[local.architectures[each.value.type][0]].id
  instance_type = each.value.type
  key_name      = aws_key_pair.echo.key_name

  placement_group            = aws_placement_group.echo.name
  placement_partition_number = var.placement == "partition" && each.value.is_member ? each.value.index + 1 : null
  subnet_id                  = aws_subnet.zone[local.zones[each.value.index % local.zone_count]].id
  vpc_security_group_ids     = [aws_security_group.echo.id]

  # A host that is shut down, by its own timer or by hand, is terminated with its disks.
  instance_initiated_shutdown_behavior = "terminate"

  user_data_replace_on_change = true
  user_data = templatefile("${path.module}/templates/user-data.sh.tftpl", {
    ends_at   = var.ends_at
    mtu       = var.jumbo_frames ? 9001 : 1500
    interface = var.interface
    has_data  = each.value.is_member
    disk      = local.has_volume ? "Elastic Block Store" : "Instance Storage"
  })

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  root_block_device {
    volume_type           = "gp3"
    volume_size           = 20
    encrypted             = true
    delete_on_termination = true
  }

  dynamic "ebs_block_device" {
    for_each = each.value.is_member && local.has_volume ? [1] : []

    content {
      device_name           = "/dev/sdf"
      volume_type           = var.storage
      volume_size           = var.storage_gib
      iops                  = var.storage_iops
      throughput            = var.storage == "gp3" ? var.storage_mib_per_second : null
      encrypted             = true
      delete_on_termination = true
    }
  }

  dynamic "instance_market_options" {
    for_each = var.spot ? [1] : []

    content {
      market_type = "spot"

      spot_options {
        spot_instance_type             = "one-time"
        instance_interruption_behavior = "terminate"
      }
    }
  }

  tags = {
    Name = "cluster-echo-${var.name}-${each.key}"
  }

  # A host downloads its JDK at boot, so its route to the internet must exist before it starts and until it is terminated.
  depends_on = [aws_route_table_association.zone, aws_vpc_security_group_egress_rule.packages]

  lifecycle {
    # Do not replace running hosts because of a newer image.
    ignore_changes = [ami]

    precondition {
      condition     = var.storage != "instance-store" || !each.value.is_member || data.aws_ec2_instance_type.member.instance_storage_supported
      error_message = "storage=instance-store is not allowed with instance_type=${var.instance_type}: use a type with local disks, for instance c6id.4xlarge."
    }

    precondition {
      condition     = var.storage != "gp3" || var.storage_iops <= 16000
      error_message = "storage_iops=${var.storage_iops} is not allowed with storage=gp3: 3000 to 16000."
    }

    precondition {
      condition     = !local.has_volume || var.storage_iops <= var.storage_gib * (var.storage == "gp3" ? 500 : 1000)
      error_message = "storage_iops=${var.storage_iops} is not allowed with storage_gib=${var.storage_gib}: at most 500 for each GiB with gp3, 1000 with io2."
    }

    precondition {
      condition     = var.storage != "gp3" || var.storage_mib_per_second * 4 <= var.storage_iops
      error_message = "storage_mib_per_second=${var.storage_mib_per_second} is not allowed with storage_iops=${var.storage_iops}: at most a quarter of it."
    }
  }
}
