import { WorkspaceFileError } from '@sluice/configuration/file'
import type { DestinationSource } from '@sluice/destinations'
import { type ParsedWorkspace, toParsedWorkspace } from '../typed/parsed-workspace.ts'
import { openText } from './read-workspace-file.ts'

/** Options of `parseWorkspace`. */
export interface ParseWorkspaceOptions {
  /** Destination types in addition to the native ones: those that are passed to `createSluice` too. */
  readonly destinations?: readonly DestinationSource[]
  /** Values of `env:NAME`; default `process.env`. Pass `{}` for texts of people who must not read it. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Parses the text of a workspace, JSON or YAML, that does not come from a file: of a database, or of another program. It
 * has one of the forms of `readWorkspaceFile`, but can name no files and no packages.
 *
 * @throws WorkspaceFileError with everything that is wrong, and the line and column of each, but whether code loads:
 * `createSluice` finds that.
 * @example
 * ```ts
 * import { createSluice, parseWorkspace } from 'sluice'
 *
 * const text = '{ "id": "shop", "sources": [{ "id": "web", "writeKey": "web-key" }], "destinations": [], "connections": [] }'
 * const sluice = await createSluice({ workspace: await parseWorkspace(text) })
 * console.log(sluice.workspaces[0]?.sources[0]?.id) // web
 * await sluice.stop()
 * ```
 */
export async function parseWorkspace(
  text: string,
  { destinations = [], env = process.env }: ParseWorkspaceOptions = {},
): Promise<ParsedWorkspace> {
  const opened = await openText(text, undefined, { env })
  // Loaded when needed: destinations are nearly everything.
  const [{ definitionProblems }, { registryWith }] = await Promise.all([
    import('../definition-problems.ts'),
    import('../known-destinations.ts'),
  ])
  const { problems } = definitionProblems(opened.workspace, { destinations: registryWith(destinations), env })
  if (problems.length > 0) throw new WorkspaceFileError(await opened.located(problems))
  return toParsedWorkspace(opened.workspace)
}
