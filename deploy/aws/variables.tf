variable "name" {
  description = "Name of this set of hosts: part of the names and tags of all that is made."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,30}$", var.name))
    error_message = "Allowed: a small letter, then up to 30 small letters, digits and dashes."
  }
}

variable "region" {
  description = "Region in which all hosts are."
  type        = string
  default     = "us-east-1"
}

variable "placement" {
  description = "cluster: all hosts close together in one zone. partition: members on racks of their own, in as many zones as there are."
  type        = string
  default     = "cluster"

  validation {
    condition     = contains(["cluster", "partition"], var.placement)
    error_message = "Allowed: cluster or partition."
  }
}

variable "zones" {
  description = "Availability zones to use, in this order. Empty: those of the region that have the instance type."
  type        = list(string)
  default     = []
}

variable "member_count" {
  description = "Members of the cluster."
  type        = number
  default     = 3

  validation {
    condition     = contains([1, 3, 5, 7], var.member_count)
    error_message = "Allowed: 1, 3, 5 or 7."
  }
}

variable "client_count" {
  description = "Hosts with a load client."
  type        = number
  default     = 1

  validation {
    condition     = var.client_count >= 1 && var.client_count <= 20 && floor(var.client_count) == var.client_count
    error_message = "Allowed: 1 to 20."
  }
}

variable "instance_type" {
  description = "Of the members, and of the clients unless client_instance_type says otherwise."
  type        = string
  default     = "c6in.4xlarge"
}

variable "client_instance_type" {
  description = "Of the clients. Empty: as the members."
  type        = string
  default     = ""
}

variable "ami" {
  description = "Image of all hosts. Empty: Amazon's own Linux 2023, the newest for the processor of the instance type."
  type        = string
  default     = ""
}

variable "jumbo_frames" {
  description = "An MTU of 9001 on the interfaces, else 1500."
  type        = bool
  default     = true
}

variable "interface" {
  description = "Name of the network interface in the image."
  type        = string
  default     = "ens5"
}

variable "storage" {
  description = "Where members keep archive and log: gp3, io2 (volumes of their own) or instance-store (disks of the host, for instance types that have them)."
  type        = string
  default     = "gp3"

  validation {
    condition     = contains(["gp3", "io2", "instance-store"], var.storage)
    error_message = "Allowed: gp3, io2 or instance-store."
  }
}

variable "storage_gib" {
  description = "Size of such a volume in GiB."
  type        = number
  default     = 100

  validation {
    condition     = var.storage_gib >= 10 && var.storage_gib <= 16384
    error_message = "Allowed: 10 to 16384."
  }
}

variable "storage_iops" {
  description = "Operations per second of such a volume."
  type        = number
  default     = 6000

  validation {
    condition     = var.storage_iops >= 3000 && var.storage_iops <= 64000
    error_message = "Allowed: 3000 to 64000; gp3 has 16000 at the most."
  }
}

variable "storage_mib_per_second" {
  description = "Throughput of a gp3 volume."
  type        = number
  default     = 500

  validation {
    condition     = var.storage_mib_per_second >= 125 && var.storage_mib_per_second <= 1000
    error_message = "Allowed: 125 to 1000."
  }
}

variable "spot" {
  description = "Spot instances: cheaper, and taken back at two minutes' notice."
  type        = bool
  default     = false
}

variable "ssh_from" {
  description = "The one address that may use ssh, as 203.0.113.7/32."
  type        = string

  validation {
    condition     = can(cidrhost(var.ssh_from, 0)) && can(regex("^[0-9.]+/32$", var.ssh_from))
    error_message = "Allowed: one IPv4 address with /32 behind it."
  }
}

variable "ssh_public_key" {
  description = "Public key that the hosts let in."
  type        = string

  validation {
    condition     = can(regex("^(ssh-ed25519|ssh-rsa) [A-Za-z0-9+/=]+", var.ssh_public_key))
    error_message = "Allowed: the content of a public key file of type ed25519 or rsa."
  }
}

variable "ends_at" {
  description = "When everything that costs money removes itself, in UTC, as 2026-01-31T18:00:00."
  type        = string

  validation {
    condition     = can(regex("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$", var.ends_at)) && can(timeadd("${var.ends_at}Z", "0s"))
    error_message = "Allowed: a date and a time without a zone, as 2026-01-31T18:00:00."
  }
}

variable "scheduled_end" {
  description = "Whether the end is also made from outside the hosts, by a schedule that may terminate these instances and nothing else. Needs the right to make a role."
  type        = bool
  default     = true
}

variable "base_port" {
  description = "First port of the members, as echo.base.port."
  type        = number
  default     = 20000

  validation {
    condition     = var.base_port >= 1024 && var.base_port <= 31768
    error_message = "Allowed: 1024 to 31768, so that it is apart from ports that clients take."
  }
}

variable "tags" {
  description = "Further tags of all that is made."
  type        = map(string)
  default     = {}
}
