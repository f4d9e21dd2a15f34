import type { Directive } from '../mapping-compiler.ts'

/** `@literal`: the value itself. Segment resolves directives inside it all the same. */
export const literalDirective: Directive = (value, place, compiler) => compiler.compile(value, place)
