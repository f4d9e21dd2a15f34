/** Finds the imports of a module. This build is JavaScript, because Workers compile no WebAssembly at run time. */
export { parse as parseImports } from '#inlined/es-module-lexer-js'
