# What the way to a host carries in one packet, measured from here. Asked by PathMtu, as: python3 -I -c THIS ADDRESS PORT LENGTH
# Sends UDP datagrams that may not be cut to a port at which nobody listens. A host that gets one says that nobody does: so it
# came through whole. A router that cannot pass it on says what its next link carries, and the kernel keeps that for the route.
#
# Prints "MTU SENT OUTCOME": the MTU of the route by what the kernel was told, a length of datagrams in bytes, and
#   whole   datagrams of that length arrive
#   lost    they do, and longer ones do not, which no router told
#   silent  nothing came back, of whatever length
import errno
import select
import socket
import sys
import time

address, port, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
family, _, _, _, target = socket.getaddrinfo(address, port, type=socket.SOCK_DGRAM)[0]
if family == socket.AF_INET6:
    level, discover_option, mtu_option, header_length = socket.IPPROTO_IPV6, 23, 24, 48
else:
    level, discover_option, mtu_option, header_length = socket.IPPROTO_IP, 10, 14, 28
# Of linux/in.h, as are the options: neither cut here, nor on the way.
NEVER_CUT = 2
# A host tells a sender no more than about once a second that nobody listens, after a few at once.
WAIT_S = 0.6
SHORT_LENGTH = 64
STEP = 32


def open_socket():
    opened = socket.socket(family, socket.SOCK_DGRAM)
    opened.setsockopt(level, discover_option, NEVER_CUT)
    opened.connect(target)
    return opened


def route_mtu():
    with open_socket() as opened:
        return opened.getsockopt(level, mtu_option)


def ask(datagram_length):
    with open_socket() as opened:
        try:
            # Twice, as one may be lost for any reason.
            for _ in range(2):
                opened.send(bytes(datagram_length))
                end = time.monotonic() + WAIT_S
                while select.select([opened], [], [], max(0.0, end - time.monotonic()))[0]:
                    opened.recv(1)
                    # Somebody listens there after all, and answers.
                    return "whole"
        except OSError as ex:
            if ex.errno == errno.ECONNREFUSED:
                return "whole"
            if ex.errno == errno.EMSGSIZE:
                return "cut"
            raise
    return "silent"


mtu = route_mtu()
sent = min(length, mtu - header_length)
outcome = ask(sent)
while outcome == "cut":
    mtu = route_mtu()
    shorter = min(sent - 1, mtu - header_length)
    if shorter < SHORT_LENGTH:
        outcome = "silent"
    else:
        sent = shorter
        outcome = ask(sent)

if outcome == "silent" and sent > SHORT_LENGTH and ask(SHORT_LENGTH) == "whole":
    outcome = "lost"
    arrives, too_long = SHORT_LENGTH, sent
    while too_long - arrives > STEP:
        middle = (arrives + too_long) // 2 // STEP * STEP
        if middle <= arrives:
            break
        if ask(middle) == "whole":
            arrives = middle
        else:
            too_long = middle
    sent = arrives

print(mtu, sent, outcome)
