# Read by CMake when llama.cpp begins: a judge of text needs neither its common library nor its tools.
set(LLAMA_BUILD_COMMON OFF)
