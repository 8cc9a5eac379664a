# cmake --install: the headers, find_package(bellwether CONFIG) with bellwether::core, and a pkg-config file.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bellwether)
install(DIRECTORY include/bellwether DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS bellwether_core EXPORT bellwether-targets)
install(EXPORT bellwether-targets NAMESPACE bellwether:: DESTINATION ${package_dir})

configure_package_config_file(cmake/bellwether-config.cmake.in bellwether-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(bellwether-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bellwether-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/bellwether-config-version.cmake DESTINATION ${package_dir})

# The pkg-config file finds the headers from where it lies itself: `cmake --install --prefix` and moved trees work.
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_INCLUDEDIR includedir_is_absolute)
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR libdir_is_absolute)
if(includedir_is_absolute OR libdir_is_absolute)
  set(pkgconfig_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH to_includedir /${CMAKE_INSTALL_LIBDIR}/pkgconfig /${CMAKE_INSTALL_INCLUDEDIR})
  set(pkgconfig_includedir "\${pcfiledir}/${to_includedir}")
endif()
configure_file(cmake/bellwether.pc.in bellwether.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bellwether.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
