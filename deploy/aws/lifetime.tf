# The second of two automatic ends of the hosts: an external schedule, for a host whose own timer does not run. Its role may only
# terminate instances with the tag of this run.

data "aws_caller_identity" "self" {}

data "aws_partition" "self" {}

resource "aws_iam_role" "end" {
  count = var.scheduled_end ? 1 : 0

  name = "cluster-echo-${var.name}-end"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "scheduler.amazonaws.com" }
      Condition = { StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.self.account_id } }
    }]
  })
}

resource "aws_iam_role_policy" "end" {
  count = var.scheduled_end ? 1 : 0

  name = "terminate-this-run"
  role = aws_iam_role.end[0].id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "ec2:TerminateInstances"
      Resource = "arn:${data.aws_partition.self.partition}:ec2:${var.region}:${data.aws_caller_identity.self.account_id}:instance/*"
      Condition = { StringEquals = {
        "ec2:ResourceTag/Project" = "cluster-echo"
        "ec2:ResourceTag/Run"     = var.name
      } }
    }]
  })
}

# One schedule for each host: a call that names an instance that no longer exists would terminate none of the others.
resource "aws_scheduler_schedule" "end" {
  for_each = var.scheduled_end ? local.hosts : {}

  name                         = "cluster-echo-${var.name}-${each.key}-end"
  schedule_expression          = "at(${var.ends_at})"
  schedule_expression_timezone = "UTC"

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = "arn:${data.aws_partition.self.partition}:scheduler:::aws-sdk:ec2:terminateInstances"
    role_arn = aws_iam_role.end[0].arn
    input    = jsonencode({ InstanceIds = [aws_instance.host[each.key].id] })

    retry_policy {
      maximum_retry_attempts = 5
    }
  }

  depends_on = [aws_iam_role_policy.end]
}
