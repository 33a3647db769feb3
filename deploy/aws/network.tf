resource "aws_vpc" "echo" {
  cidr_block           = "10.40.0.0/16"
  enable_dns_support   = true
  enable_dns_hostnames = true

  tags = {
    Name = "cluster-echo-${var.name}"
  }
}

resource "aws_subnet" "zone" {
  for_each = toset(local.zones)

  vpc_id                  = aws_vpc.echo.id
  availability_zone       = each.key
  cidr_block              = cidrsubnet(aws_vpc.echo.cidr_block, 8, index(local.zones, each.key))
  map_public_ip_on_launch = true

  tags = {
    Name = "cluster-echo-${var.name}-${each.key}"
  }
}

resource "aws_internet_gateway" "echo" {
  vpc_id = aws_vpc.echo.id
}

resource "aws_route_table" "echo" {
  vpc_id = aws_vpc.echo.id

  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.echo.id
  }
}

resource "aws_route_table_association" "zone" {
  for_each = aws_subnet.zone

  subnet_id      = each.value.id
  route_table_id = aws_route_table.echo.id
}

resource "aws_security_group" "echo" {
  name        = "cluster-echo-${var.name}"
  description = "Traffic between members and clients, ssh from one address"
  vpc_id      = aws_vpc.echo.id
}

# Traffic between the hosts.
locals {
  inside = {
    members = { protocol = "udp", from = var.base_port, to = var.base_port + 999, what = "Members: ingress, log, consensus, archive" }
    clients = { protocol = "udp", from = 32768, to = 60999, what = "Clients: replies, at ephemeral ports" }
    peers   = { protocol = "tcp", from = var.base_port, to = var.base_port + 999, what = "Servers of other systems, and counters" }
    ssh     = { protocol = "tcp", from = 22, to = 22, what = "From the coordinator to the other hosts" }
    # For ICMP these are type and code; code -1 means all codes.
    mtu  = { protocol = "icmp", from = 3, to = -1, what = "Fragmentation needed and destination unreachable" }
    echo = { protocol = "icmp", from = 8, to = -1, what = "Echo requests, which doctor uses to measure the path MTU" }
  }
}

resource "aws_vpc_security_group_ingress_rule" "inside" {
  for_each = local.inside

  security_group_id            = aws_security_group.echo.id
  referenced_security_group_id = aws_security_group.echo.id
  ip_protocol                  = each.value.protocol
  from_port                    = each.value.from
  to_port                      = each.value.to
  description                  = each.value.what
}

resource "aws_vpc_security_group_egress_rule" "inside" {
  for_each = local.inside

  security_group_id            = aws_security_group.echo.id
  referenced_security_group_id = aws_security_group.echo.id
  ip_protocol                  = each.value.protocol
  from_port                    = each.value.from
  to_port                      = each.value.to
  description                  = each.value.what
}

resource "aws_vpc_security_group_ingress_rule" "ssh" {
  security_group_id = aws_security_group.echo.id
  cidr_ipv4         = var.ssh_from
  ip_protocol       = "tcp"
  from_port         = 22
  to_port           = 22
  description       = "ssh from the allowed address"
}

resource "aws_vpc_security_group_egress_rule" "packages" {
  security_group_id = aws_security_group.echo.id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  description       = "Download of the JDK at the first boot"
}
