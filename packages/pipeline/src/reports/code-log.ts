import { detectors } from '@sluice/core'
import { createPersonalDataMask } from '@sluice/schema'
import type { CodeLogPlace } from '../flow/build-path.ts'
import { createWatching, type Watching } from './watching.ts'

/** One line that user code logged, as it may be watched: detectable personal data is masked. */
export interface CodeLogEntry {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly workspaceId: string
  readonly destinationId: string
  /** The id of the transformation; its name where it comes from the workspace file. */
  readonly transformationId: string
  readonly versionId: string
  readonly line: string
}

/** Shows people what user code logs. */
export type CodeLog = Watching<CodeLogEntry>

export const createCodeLog = (): CodeLog => createWatching()

/** Characters of a line; longer ones are cut. */
const lineLengthMax = 2_000
const mask = createPersonalDataMask({ maskPaths: [], detectors })

/** Shows the lines that user code logged in one batch, if anyone watches. @param at milliseconds since the epoch. */
export function showLines(
  log: CodeLog,
  at: number,
  { workspaceId, destinationId, transformation: { id, name, versionId } }: CodeLogPlace,
  lines: readonly string[],
): void {
  if (!log.isOpen(workspaceId)) return
  const shared = { at, workspaceId, destinationId, transformationId: id ?? name, versionId }
  log.show(lines.map((line) => ({ ...shared, line: String(mask.value(mask.cut(line, lineLengthMax))) })))
}
