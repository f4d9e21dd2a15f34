/** Finds the imports of a module. */
export { parse } from '#inlined/es-module-lexer'
