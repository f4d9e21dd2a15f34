import { WorkspaceFileError } from '@sluice/configuration/file'
import { isJsonObject } from '@sluice/core'
import { asCliError } from '../../as-cli-error.ts'
import { CliError } from '../../cli-error.ts'
import type { CheckedWorkspace } from '../../offline/configure/check-workspace.ts'
import { checkWorkspace } from '../../offline/configure/check-workspace.ts'
import type { ServerFlags } from '../ask-server.ts'
import { type CodePlan, planCode } from './code-plan.ts'
import { type ConfigurationPart, configurationOf } from './configuration-part.ts'
import { type ConfigurationPlan, type PlanOptions, planConfiguration } from './configuration-plan.ts'
import { type FileWorkspace, fileParts } from './file-parts.ts'

export interface PlanFlags extends ServerFlags {
  readonly prune?: true
  readonly force?: true
  readonly keepSecrets?: true
  /** False leaves access tokens out. */
  readonly tokens: boolean
  /** Workspace of the file; needed when none has the id of the server's. */
  readonly workspace?: string
}

/** Everything that differs between a file and a server. */
export interface WorkspacePlan extends ConfigurationPlan, CodePlan {
  readonly workspaceId: string
  /** The name that the workspace gets. */
  readonly rename?: { readonly before: string; readonly after: string; readonly revision?: number }
  readonly notes: readonly string[]
}

/** Returns whether a plan changes anything. */
export function hasChanges({ parts, codes, connections, rename }: WorkspacePlan): boolean {
  return parts.length + codes.length + connections.length > 0 || rename !== undefined
}

/**
 * Compares a workspace file or folder with a server.
 * @throws CliError when the file has problems, or the server refuses what it says.
 */
export async function planWorkspace(path: string, flags: PlanFlags): Promise<WorkspacePlan> {
  // The server tests code before it publishes it, and takes settings of other clients that have no effect.
  const checked = await checkWorkspace(path, { code: false, lenient: true })
  if (checked.problems.length > 0) throw asCliError(new WorkspaceFileError(checked.problems))
  const server = await configurationOf(flags)
  const workspace = server.find(({ kind }) => kind === 'workspace')
  if (workspace === undefined) throw new CliError(`${flags.url} has no workspace for this token`)
  const index = indexOf(checked, workspace.id, flags.workspace)
  const file = fileParts(checked, index, { keepSecrets: flags.keepSecrets === true, tokens: flags.tokens })
  const options: PlanOptions = { prune: flags.prune === true, force: flags.force === true }
  const configuration = await planConfiguration(flags, file, server, options)
  const code = await planCode(flags, file, server)
  return {
    ...configuration,
    ...code,
    workspaceId: workspace.id,
    ...renaming(file, workspace),
    notes: [
      ...checked.notes.map(({ at, path: member, text }) => `${at} ${member}: ${text}`),
      ...file.keylessSources.map(
        (id) => `source ${id}: its variable is not set; the server keeps its write key, or makes one up`,
      ),
    ],
  }
}

/** Returns which workspace of the file belongs to that of the server. */
function indexOf({ opened }: CheckedWorkspace, serverId: string, chosen: string | undefined): number {
  const listed = opened?.workspace['workspaces']
  const ids = (Array.isArray(listed) ? listed : []).map((each) => (isJsonObject(each) ? String(each['id']) : ''))
  const index = ids.indexOf(chosen ?? serverId)
  if (index >= 0) return index
  if (chosen !== undefined)
    throw new CliError(`--workspace ${chosen}: the file has no such workspace, but ${ids.join(', ')}`)
  throw new CliError(
    `the token is for workspace ${serverId}, and the file has ${ids.join(', ')}; use another token, or --workspace ${ids[0] ?? 'ID'} to apply it there anyway`,
  )
}

function renaming(
  { name }: FileWorkspace,
  { body, managedBy, revision }: ConfigurationPart,
): Pick<WorkspacePlan, 'rename'> {
  if (name === undefined || name === body['name'] || managedBy === 'file') return {}
  return { rename: { before: String(body['name']), after: name, revision } }
}
