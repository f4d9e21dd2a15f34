/** Why code is refused. */
export interface StripFailure {
  readonly ok: false
  readonly message: string
  /** From 1; 0 if the parser does not report it. */
  readonly line: number
  readonly column: number
  /** True for TypeScript syntax that is more than a type. */
  readonly isUnsupported: boolean
}

/** JavaScript, or why the code is invalid. */
export type StripResult = { readonly ok: true; readonly code: string } | StripFailure

/** Converts TypeScript to JavaScript. */
export interface TypeStripper {
  /**
   * Replaces types by blanks, so that every line and column stays the same. Accepts only types that can be erased: no
   * enums, namespaces or parameter properties. JavaScript is returned unchanged, except for the few texts that
   * TypeScript parses differently: `f(a < b, c > (d))` passes two values in JavaScript and one in TypeScript.
   *
   * The codes of one owner are processed one after another. Owners take fair turns by the time their code takes, and
   * none uses more than one of the two threads. Every failure of the code is a result value.
   * @param owner owner of the code; default: one owner for all.
   * @throws SandboxBusyError when too much code waits; InvariantError when the stripper is closed.
   */
  strip(code: string, owner?: string): Promise<StripResult>
  /** Ends the threads; running work fails. */
  close(): Promise<void>
}

export interface TypeStripperOptions {
  /** Time limit for one code; a few milliseconds are usual. */
  readonly timeMs?: number
  readonly codeCharsMax?: number
  /** Most codes waiting. Beyond that, the owner with the most loses its newest. */
  readonly waitingMax?: number
  /** Time without work after which a thread (some 30 MB) is ended. */
  readonly idleMs?: number
}
