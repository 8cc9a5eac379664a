# cpack: a Debian package of the program, the headers with their CMake and pkg-config files, manual pages and completion.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bellwether)
set(CPACK_PACKAGE_CONTACT "The Bellwether developers <bellwether@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION
    "Learns, online and at linear cost, what a policy is worth, from data that the same policy or another one produced.
 A program with papers to reproduce, and a C++20 library of headers.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot-nox")
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};bellwether;ALL;/" "${CMAKE_BINARY_DIR};bellwether;debian;/")
include(CPack)
