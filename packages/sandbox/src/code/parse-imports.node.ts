/** Finds the imports of a module. */
export { parse as parseImports } from '#inlined/es-module-lexer'
