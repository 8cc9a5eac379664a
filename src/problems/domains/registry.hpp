// Every built-in domain, one line each, in the order in which they are listed. Each is defined in a file beside this
// one, which CMake finds by itself.
#pragma once

// clang-format off
#define BELLWETHER_DOMAINS(domain) \
    domain(random_mdp) \
    domain(baird) \
    domain(boyan) \
    domain(walk5) \
    domain(walk19) \
    domain(two_state) \
    domain(kolter) \
    domain(collision) \
    domain(walk11) \
    domain(walk30) \
    domain(walk1000) \
    domain(rooms)
// clang-format on
