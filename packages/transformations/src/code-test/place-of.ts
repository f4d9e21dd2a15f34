import { codePositions } from '@sluice/sandbox'

/** Where an error of user code happened, if known. */
export interface CodePlace {
  /** Line in `module`, from 1. */
  readonly line?: number
  /** Name of the transformation, or `library` and an import name. */
  readonly module?: string
}

/** Parses the first position in an error of user code. */
export function placeOf(error: string): CodePlace {
  const [first] = codePositions(error)
  return first === undefined ? {} : { line: first.line, module: first.module }
}
