# What the way to a host carries in one packet, measured from here. Asked by PathMtu, as: python3 -I -c THIS ADDRESS PORT LENGTH
# Sends UDP datagrams that may not be cut to a port at which nobody listens. A host that gets one says that nobody does: so it
# came through whole. A router that cannot pass it on says what its next link carries, and the kernel keeps that for the route.
# A host says so about once a second only, of whatever was sent to it, so beside each datagram goes an echo request as long as
# that, where this user may send one: those are answered without a limit, unless a firewall holds them up.
#
# Prints "MTU SENT OUTCOME": the MTU of the route by what the kernel was told, a length of datagrams in bytes, and
#   whole   datagrams of that length arrive
#   lost    they do, and longer ones do not, which no router told
#   silent  nothing came back, of whatever length
import errno
import os
import select
import socket
import struct
import sys
import time

address, port, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
family, _, _, _, target = socket.getaddrinfo(address, port, type=socket.SOCK_DGRAM)[0]
if family == socket.AF_INET6:
    level, discover_option, mtu_option, header_length = socket.IPPROTO_IPV6, 23, 24, 48
    echo_protocol, echo_request, echo_reply = socket.IPPROTO_ICMPV6, 128, 129
else:
    level, discover_option, mtu_option, header_length = socket.IPPROTO_IP, 10, 14, 28
    echo_protocol, echo_request, echo_reply = socket.IPPROTO_ICMP, 8, 0
# Of linux/in.h, as are the options: neither cut here, nor on the way.
NEVER_CUT = 2
WAIT_S = 0.6
# As long as it takes until a host says once more that nobody listens.
REST_S = 1.1
SHORT_LENGTH = 64
STEP = 32
ROUNDS = 3
COOKIE = os.urandom(16)


def open_socket(kind, protocol):
    opened = socket.socket(family, kind, protocol)
    opened.setsockopt(level, discover_option, NEVER_CUT)
    opened.connect(target)
    return opened


def open_datagram_socket():
    return open_socket(socket.SOCK_DGRAM, 0)


def open_echo_socket():
    # The system lets some users send echo requests without root, and root with a socket of another kind.
    for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
        try:
            return open_socket(kind, echo_protocol)
        except OSError:
            continue
    return None


def echo_message(message_length):
    # Its header is as long as that of UDP. The kernel sets the checksum of some kinds itself.
    data = (COOKIE + bytes(message_length))[:message_length]
    identifier = os.getpid() & 0xFFFF
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data[:len(data) // 2 * 2]))
    total += (data[-1] << 8) if len(data) % 2 else 0
    total += (echo_request << 8) + identifier
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!BBHHH", echo_request, 0, ~total & 0xFFFF, identifier, 0) + data


def is_echo_reply(received):
    at = received.find(COOKIE)
    return at >= 8 and received[at - 8] == echo_reply


def route_mtu():
    with open_datagram_socket() as opened:
        return opened.getsockopt(level, mtu_option)


def send(datagrams, echoes, datagram_length):
    datagrams.send(bytes(datagram_length))
    try:
        if echoes:
            echoes.send(echo_message(datagram_length))
    except OSError:
        # Not let through here. The datagrams say what is to be said.
        pass


def hear(datagrams, echoes):
    end = time.monotonic() + WAIT_S
    waiting = [one for one in (datagrams, echoes) if one]
    while True:
        ready = select.select(waiting, [], [], max(0.0, end - time.monotonic()))[0]
        if not ready:
            return False
        if datagrams in ready:
            datagrams.recv(1)
            # Somebody listens there after all, and answers.
            return True
        try:
            if is_echo_reply(echoes.recv(65535)):
                return True
        except OSError:
            # Somebody refuses echo requests, which says nothing about their length.
            waiting = [datagrams]


def ask(datagram_length):
    datagrams, echoes = open_datagram_socket(), open_echo_socket()
    try:
        # Twice, as one may be lost for any reason.
        for _ in range(2):
            send(datagrams, echoes, datagram_length)
            if hear(datagrams, echoes):
                return "whole"
    except OSError as ex:
        if ex.errno == errno.ECONNREFUSED:
            return "whole"
        if ex.errno == errno.EMSGSIZE:
            return "cut"
        raise
    finally:
        for one in (datagrams, echoes):
            if one:
                one.close()
    return "silent"


def is_certain(arriving, lost):
    # Silence may have other causes, such as that limit: in turns, one must be answered each time, and the other never.
    for _ in range(ROUNDS):
        time.sleep(REST_S)
        if ask(arriving) != "whole":
            return False
        time.sleep(REST_S)
        if ask(lost) != "silent":
            return False
    return True


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
    if is_certain(arrives, too_long):
        sent = arrives
    else:
        outcome = "silent"

print(mtu, sent, outcome)
