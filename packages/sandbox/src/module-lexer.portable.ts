/** Finds the imports of a module. This build is JavaScript, because Workers compile no WebAssembly at run time. */
export { parse } from '#inlined/es-module-lexer-js'
