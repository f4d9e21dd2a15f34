/** One thing that is wrong with a workspace file. */
export interface Problem {
  /** Location, such as `workspaces[0].sources[1].writeKey`; '' is the whole file. */
  readonly path: string
  /** The value found; `(hidden)` where it may be a secret. */
  readonly value: string
  readonly allowed: string
}

/** A position in the code of a transformation, or of a library that it imports. */
export interface InCode {
  /** Name of the library; undefined for the transformation itself. */
  readonly library?: string
  /** From 1, like the column. */
  readonly line: number
  readonly column: number
}

/** A problem with its place, unless the form of the file differs from that of a workspace file. */
export interface PlacedProblem extends Problem {
  readonly place?: Place
  /** For code that cannot be loaded: where in the code, when its error says so. */
  readonly inCode?: InCode
}

/** Where in a file something is. */
export interface Place {
  readonly file: string
  /** From 1, like the column. */
  readonly line: number
  readonly column: number
}

/** Rejection of a workspace file, with all its problems. Nothing was applied. */
export class WorkspaceFileError extends Error {
  override readonly name = 'WorkspaceFileError'
  readonly problems: readonly PlacedProblem[]

  constructor(problems: readonly PlacedProblem[]) {
    const lines = problems.map((problem) => `  ${problemText(problem)}`)
    super(
      `the workspace has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${lines.join('\n')}`,
    )
    this.problems = problems
  }
}

/** Returns a problem in one line, with its place where it has one. */
export function problemText({ path, value, allowed, place }: PlacedProblem): string {
  const at = place ? `${place.file}:${place.line}:${place.column} ` : ''
  return `${at}${path || '(file)'}: got ${value}; allowed: ${allowed}`
}

const shownLengthMax = 80

/** Formats a value for a problem: short, and only simple values, because objects and lists may contain secrets. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text
}

/** The value of a problem with a member that does not exist. */
export const unknownMember = 'an unknown member'
