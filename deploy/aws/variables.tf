variable "name" {
  description = "Name of this deployment, part of the names and tags of all resources."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,30}$", var.name))
    error_message = "Allowed: a lower-case letter, then up to 30 lower-case letters, digits and dashes."
  }
}

variable "region" {
  description = "Region of all hosts."
  type        = string
  default     = "us-east-1"
}

variable "placement" {
  description = "cluster: all hosts close together in one zone. partition: each member on its own rack, in as many zones as possible."
  type        = string
  default     = "cluster"

  validation {
    condition     = contains(["cluster", "partition"], var.placement)
    error_message = "Allowed: cluster or partition."
  }
}

variable "zones" {
  description = "Availability zones in order of use. Empty: the zones of the region that have the instance type."
  type        = list(string)
  default     = []
}

variable "member_count" {
  description = "Number of members."
  type        = number
  default     = 3

  validation {
    condition     = contains([1, 3, 5, 7], var.member_count)
    error_message = "Allowed: 1, 3, 5 or 7."
  }
}

variable "client_count" {
  description = "Number of hosts with a load client."
  type        = number
  default     = 1

  validation {
    condition     = var.client_count >= 1 && var.client_count <= 20 && floor(var.client_count) == var.client_count
    error_message = "Allowed: 1 to 20."
  }
}

variable "instance_type" {
  description = "Instance type of members, and of clients unless client_instance_type is set."
  type        = string
  default     = "c6in.4xlarge"
}

variable "client_instance_type" {
  description = "Instance type of clients. Empty: that of the members."
  type        = string
  default     = ""
}

variable "ami" {
  description = "Image of all hosts. Empty: the newest Amazon Linux 2023 for the architecture of the instance type."
  type        = string
  default     = ""
}

variable "jumbo_frames" {
  description = "Use an MTU of 9001 instead of 1500."
  type        = bool
  default     = true
}

variable "interface" {
  description = "Name of the network interface in the image."
  type        = string
  default     = "ens5"
}

variable "storage" {
  description = "Storage of the members' archives: gp3 or io2 (separate volumes), or instance-store (local disks, for instance types that have them)."
  type        = string
  default     = "gp3"

  validation {
    condition     = contains(["gp3", "io2", "instance-store"], var.storage)
    error_message = "Allowed: gp3, io2 or instance-store."
  }
}

variable "storage_gib" {
  description = "Size of a gp3 or io2 volume in GiB."
  type        = number
  default     = 100

  validation {
    condition     = var.storage_gib >= 10 && var.storage_gib <= 16384
    error_message = "Allowed: 10 to 16384."
  }
}

variable "storage_iops" {
  description = "IOPS of a gp3 or io2 volume."
  type        = number
  default     = 6000

  validation {
    condition     = var.storage_iops >= 3000 && var.storage_iops <= 64000
    error_message = "Allowed: 3000 to 64000, with gp3 at most 16000."
  }
}

variable "storage_mib_per_second" {
  description = "Throughput of a gp3 volume in MiB/s."
  type        = number
  default     = 500

  validation {
    condition     = var.storage_mib_per_second >= 125 && var.storage_mib_per_second <= 1000
    error_message = "Allowed: 125 to 1000."
  }
}

variable "spot" {
  description = "Use spot instances, which are cheaper and may be reclaimed at two minutes' notice."
  type        = bool
  default     = false
}

variable "ssh_from" {
  description = "The only address that may use ssh, for instance 203.0.113.7/32."
  type        = string

  validation {
    condition     = can(cidrhost(var.ssh_from, 0)) && can(regex("^[0-9.]+/32$", var.ssh_from))
    error_message = "Allowed: one IPv4 address followed by /32."
  }
}

variable "ssh_public_key" {
  description = "Public key for ssh."
  type        = string

  validation {
    condition     = can(regex("^(ssh-ed25519|ssh-rsa) [A-Za-z0-9+/=]+", var.ssh_public_key))
    error_message = "Allowed: the content of a public key file of type ed25519 or rsa."
  }
}

variable "ends_at" {
  description = "UTC time at which everything that costs money removes itself, for instance 2026-01-31T18:00:00."
  type        = string

  validation {
    condition     = can(regex("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$", var.ends_at)) && can(timeadd("${var.ends_at}Z", "0s"))
    error_message = "Allowed: a date and a time without a zone, for instance 2026-01-31T18:00:00."
  }
}

variable "scheduled_end" {
  description = "Also terminate the hosts by an external schedule, whose role may only terminate these instances. Needs permission to create a role."
  type        = bool
  default     = true
}

variable "base_port" {
  description = "First port of the members, the value of echo.base.port."
  type        = number
  default     = 20000

  validation {
    condition     = var.base_port >= 1024 && var.base_port <= 31768
    error_message = "Allowed: 1024 to 31768, below the range of ephemeral ports."
  }
}

variable "tags" {
  description = "Additional tags of all resources."
  type        = map(string)
  default     = {}
}
