import type { OutputOptions } from 'rolldown'

/**
 * How files for releases are made smaller: a third of their text is comments and indentation. Names of functions stay, for
 * the stacks of errors.
 */
export const withNames: NonNullable<OutputOptions['minify']> = {
  compress: false,
  mangle: { toplevel: false, keepNames: true },
  codegen: { removeWhitespace: true },
}
