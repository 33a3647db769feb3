# Tests the plan with a mock provider. The plan is applied, so that no value is unknown.

mock_provider "aws" {
  mock_data "aws_ec2_instance_type_offerings" {
    defaults = {
      locations = ["us-east-1a", "us-east-1b", "us-east-1c"]
    }
  }

  mock_data "aws_availability_zones" {
    defaults = {
      names = ["us-east-1a", "us-east-1b", "us-east-1c", "us-east-1d"]
    }
  }

  mock_data "aws_ec2_instance_type" {
    defaults = {
      supported_architectures    = ["x86_64"]
      instance_storage_supported = false
    }
  }

  mock_data "aws_ami" {
    defaults = {
      id = "ami-0123456789abcdef0"
    }
  }

  mock_data "aws_caller_identity" {
    defaults = {
      account_id = "123456789012"
    }
  }

  mock_data "aws_partition" {
    defaults = {
      partition = "aws"
    }
  }

  # The schedule checks its format.
  mock_resource "aws_iam_role" {
    defaults = {
      arn = "arn:aws:iam::123456789012:role/cluster-echo-test-end"
    }
  }
}

variables {
  name           = "test"
  ssh_from       = "203.0.113.7/32"
  ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPlaceholder nobody"
  ends_at        = "2026-01-31T18:00:00"
  client_count   = 2
}

run "cluster" {
  command = apply

  assert {
    condition     = length(aws_instance.host) == 5 && aws_placement_group.echo.strategy == "cluster"
    error_message = "There must be three members and two clients in a cluster placement group."
  }

  assert {
    condition     = length(aws_subnet.zone) == 1
    error_message = "A cluster placement group must be in one zone."
  }

  assert {
    condition     = alltrue([for host in aws_instance.host : host.metadata_options[0].http_tokens == "required"])
    error_message = "Only IMDSv2 must be allowed."
  }

  assert {
    condition     = alltrue([for host in aws_instance.host : host.instance_initiated_shutdown_behavior == "terminate"])
    error_message = "A host that is shut down must be terminated."
  }

  assert {
    condition     = alltrue([for key, host in aws_instance.host : length(host.ebs_block_device) == (startswith(key, "member") ? 1 : 0)])
    error_message = "Each member must have its own volume, and no client."
  }

  assert {
    condition     = alltrue([for rule in aws_vpc_security_group_ingress_rule.inside : rule.cidr_ipv4 == null && rule.cidr_ipv6 == null])
    error_message = "Only ssh must be allowed from outside."
  }

  assert {
    condition     = aws_vpc_security_group_ingress_rule.ssh.cidr_ipv4 == "203.0.113.7/32" && aws_vpc_security_group_ingress_rule.ssh.from_port == 22 && aws_vpc_security_group_ingress_rule.ssh.to_port == 22
    error_message = "ssh must be allowed from one address only."
  }

  assert {
    condition     = length(aws_scheduler_schedule.end) == 5 && alltrue([for end in aws_scheduler_schedule.end : end.schedule_expression == "at(2026-01-31T18:00:00)"]) && jsondecode(aws_iam_role_policy.end[0].policy).Statement[0].Action == "ec2:TerminateInstances" && length(jsondecode(aws_iam_role_policy.end[0].policy).Statement) == 1
    error_message = "An external schedule must terminate the hosts, with a role that may do only that."
  }

  assert {
    condition     = alltrue([for host in aws_instance.host : length(host.instance_market_options) == 0])
    error_message = "Spot instances must not be used by default."
  }
}

run "partition" {
  command = apply

  variables {
    placement = "partition"
    spot      = true
    storage   = "io2"
  }

  assert {
    condition     = aws_placement_group.echo.strategy == "partition" && aws_placement_group.echo.partition_count == 3
    error_message = "There must be a partition for each member."
  }

  assert {
    condition     = length(aws_subnet.zone) == 3
    error_message = "There must be a zone for each member."
  }

  assert {
    condition     = [for i in range(3) : aws_instance.host["member-${i}"].placement_partition_number] == [1, 2, 3]
    error_message = "Each member must be on its own partition."
  }

  assert {
    condition     = alltrue([for host in aws_instance.host : host.instance_market_options[0].market_type == "spot"])
    error_message = "Spot instances must be used if configured."
  }

  assert {
    condition     = alltrue([for i in range(3) : one(aws_instance.host["member-${i}"].ebs_block_device).volume_type == "io2"])
    error_message = "Volumes must have the configured type."
  }
}

run "instance_store_that_is_not_there" {
  command         = plan
  expect_failures = [aws_instance.host]

  variables {
    storage = "instance-store"
  }
}

run "more_operations_than_the_volume_has" {
  command         = plan
  expect_failures = [aws_instance.host]

  variables {
    storage_gib = 10
  }
}

run "more_throughput_than_the_volume_has" {
  command         = plan
  expect_failures = [aws_instance.host]

  variables {
    storage_iops           = 3000
    storage_mib_per_second = 1000
  }
}

run "without_a_role" {
  command = apply

  variables {
    scheduled_end = false
  }

  assert {
    condition     = length(aws_iam_role.end) == 0 && length(aws_scheduler_schedule.end) == 0
    error_message = "Without scheduled_end there must be no role; the hosts' own timers remain."
  }
}
