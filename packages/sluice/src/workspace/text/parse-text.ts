import { type Problem, WorkspaceFileError } from '@sluice/configuration/file'

/** Most mistakes of a text that are reported; more are consequences of the first ones. */
const mistakesMax = 20

/**
 * Parses JSON or YAML. @param file as problems name it.
 * @throws WorkspaceFileError with the places of all mistakes, and without the text around them: it may have secrets.
 */
export async function parseText(text: string, file: string): Promise<unknown> {
  // Loaded when needed, like all that reading a file needs beyond the names this package exports.
  const { LineCounter, parseDocument } = await import('#inlined/yaml')
  const lines = new LineCounter()
  // YAML 1.2 includes JSON.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const problem = (reason: string): Problem => ({
    path: '',
    value: 'text that cannot be parsed',
    allowed: `JSON or YAML (${reason})`,
  })
  if (document.errors.length > 0)
    throw new WorkspaceFileError(
      document.errors.slice(0, mistakesMax).map(({ message, pos }) => {
        const { line, col: column } = lines.linePos(pos[0])
        return { ...problem(message), place: { file, line, column } }
      }),
    )
  try {
    // The expansion of aliases is limited.
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new WorkspaceFileError([problem(error instanceof Error ? error.message : String(error))])
  }
}
