#!/usr/bin/env bash
# Faults of pods for --fault script: FAULT is what happens to the victim's pod. docs/KUBERNETES.md has a command.
#
#   FAULT=kill|drain|cut|volume faults.sh inject|undo MEMBER-ID PID
set -euo pipefail

pod=cluster-echo-$2
case ${FAULT:-kill}-$1 in
    # The StatefulSet makes a new pod at once. The kubelet first sends SIGTERM to the old one, so a leader may hand over.
    kill-inject) kubectl delete pod "$pod" --force --grace-period=0 --wait=false ;;
    # It waits for the PodDisruptionBudget, and takes the pod off its node until that is uncordoned.
    drain-inject)
        node=$(kubectl get pod "$pod" -o 'jsonpath={.spec.nodeName}')
        kubectl annotate --overwrite statefulset cluster-echo "cluster-echo-drained=$node"
        # No other pod of the node.
        kubectl drain "$node" --pod-selector="statefulset.kubernetes.io/pod-name=$pod" --ignore-daemonsets \
            --delete-emptydir-data --timeout=25s
        ;;
    drain-undo) kubectl uncordon "$(kubectl get statefulset cluster-echo \
        -o 'jsonpath={.metadata.annotations.cluster-echo-drained}')" ;;
    # ../members/network.yaml allows nothing to a pod with this label.
    cut-inject) kubectl label --overwrite pod "$pod" cluster-echo-cut=yes ;;
    cut-undo) kubectl label pod "$pod" cluster-echo-cut- ;;
    # The member comes back with an empty volume, and copies what it lacks from the others: not after they have purged.
    volume-inject)
        kubectl delete pvc "data-$pod" --wait=false
        kubectl delete pod "$pod" --force --grace-period=0 --wait=false
        ;;
    kill-undo | volume-undo) ;;
    *) echo "FAULT=${FAULT:-kill} $1: kill, drain, cut or volume, and inject or undo" >&2; exit 2 ;;
esac
