// What comes from outside, as `createSluice` takes it. A file of its own for each would be one more to load at every start.

import { WorkspaceFileError } from '@sluice/configuration/file'
import type { DestinationSource } from '@sluice/destinations'
import type { ParsedWorkspace } from '../typed/parsed-workspace.ts'

/** Contents of a workspace file, as `createSluice` takes them. */
export interface WorkspaceFile {
  /** `createSluice` checks it. */
  readonly workspace: ParsedWorkspace
  /** Destination types from the modules under `destinationPackages`. */
  readonly destinations: readonly DestinationSource[]
}

/**
 * Reads a workspace file, JSON or YAML, in one of three forms: `{workspaces: […]}`, a single workspace, or
 * RudderStack's `workspaceConfig.json`. Reads code from the files it names (`file`, relative to the workspace file),
 * replaces `env:NAME` in settings and write keys, and loads the modules of `destinationPackages`: see
 * `loadDestinations` for the trust they need.
 *
 * @param path of the file, or of a folder with a file `workspace.yaml`, `.yml` or `.json`, with the YAML files of
 * RudderStack's rudder-cli, or with both.
 * @throws WorkspaceFileError when the file or one it names cannot be read, or is neither JSON nor YAML.
 */
export async function readWorkspaceFile(path: string): Promise<WorkspaceFile> {
  // Loaded when needed, like all that reading a file needs.
  const [{ openWorkspace }, { toParsedWorkspace }] = await Promise.all([
    import('./open-workspace.ts'),
    import('../typed/parsed-workspace.ts'),
  ])
  const { workspace, destinations } = await openWorkspace(path)
  return { workspace: toParsedWorkspace(workspace), destinations }
}

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
  // Loaded when needed: destinations are nearly everything.
  const [{ openText }, { toParsedWorkspace }, { definitionProblems }, { registryWith }] = await Promise.all([
    import('./open-workspace.ts'),
    import('../typed/parsed-workspace.ts'),
    import('../definition-problems.ts'),
    import('../known-destinations.ts'),
  ])
  const opened = await openText(text, undefined, { env })
  const { problems } = definitionProblems(opened.workspace, { destinations: registryWith(destinations), env })
  if (problems.length > 0) throw new WorkspaceFileError(await opened.located(problems))
  return toParsedWorkspace(opened.workspace)
}
