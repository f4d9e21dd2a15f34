import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Folder of the recorded cases. */
export const conformanceFolder =
  process.env['SLUICE_CONFORMANCE'] ?? resolve(import.meta.dirname, '../../../../shared/conformance')

/** Whether the recorded cases exist; without them, tests that read them are skipped with a reason. */
export const hasConformance = existsSync(conformanceFolder)

if (!hasConformance)
  process.stderr.write(`skipping conformance cases: there is no folder ${conformanceFolder} (SLUICE_CONFORMANCE)\n`)

export function conformanceJson(path: string): unknown {
  return JSON.parse(readFileSync(resolve(conformanceFolder, path), 'utf8'))
}

export function conformanceFile(path: string): Uint8Array {
  return readFileSync(resolve(conformanceFolder, path))
}
