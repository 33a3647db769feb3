# Tests rejection of invalid values and the rendered templates. Needs no provider.

variables {
  name           = "test"
  ssh_from       = "203.0.113.7/32"
  ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPlaceholder nobody"
  ends_at        = "2026-01-31T18:00:00"
}

run "templates" {
  command = plan

  assert {
    condition     = strcontains(output.member, "OnCalendar=2026-01-31 18:00:00 UTC") && strcontains(output.client, "OnCalendar=2026-01-31 18:00:00 UTC")
    error_message = "Every host must have a timer for its end."
  }

  assert {
    condition     = strcontains(output.member, "mkfs.xfs") && !strcontains(output.client, "mkfs.xfs")
    error_message = "Only members must have a disk for the archive."
  }

  assert {
    condition     = strcontains(output.member, "mtu 9001")
    error_message = "Jumbo frames must be the default."
  }

  assert {
    condition     = strcontains(output.inventory, "hosts=client-0,member-0\n") && strcontains(output.inventory, "host.member-0.roles=member 0\nhost.member-0.address=10.40.0.4\nhost.member-0.ssh=203.0.113.9\n")
    error_message = "The inventory must name each host, its role and both addresses: ${output.inventory}"
  }
}

run "without_jumbo_frames" {
  command = plan

  variables {
    jumbo_frames = false
  }

  assert {
    condition     = strcontains(output.client, "mtu 1500")
    error_message = "Without jumbo frames the MTU must be 1500."
  }
}

run "ssh_from_everywhere" {
  command         = plan
  expect_failures = [var.ssh_from]

  variables {
    ssh_from = "0.0.0.0/0"
  }
}

run "ssh_from_a_network" {
  command         = plan
  expect_failures = [var.ssh_from]

  variables {
    ssh_from = "203.0.113.0/24"
  }
}

run "an_even_number_of_members" {
  command         = plan
  expect_failures = [var.member_count]

  variables {
    member_count = 2
  }
}

run "an_unknown_placement" {
  command         = plan
  expect_failures = [var.placement]

  variables {
    placement = "spread"
  }
}

run "an_unknown_storage" {
  command         = plan
  expect_failures = [var.storage]

  variables {
    storage = "gp2"
  }
}

run "an_invalid_end" {
  command         = plan
  expect_failures = [var.ends_at]

  variables {
    ends_at = "2026-02-31T18:00:00"
  }
}

run "a_name_with_blanks" {
  command         = plan
  expect_failures = [var.name]

  variables {
    name = "my hosts"
  }
}
