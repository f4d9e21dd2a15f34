import { readFile, stat } from 'node:fs/promises'
import { parseWorkspaces } from '@sluice/configuration'
import { isJsonObject, type JsonObject, type JsonValue, type TrackingPlan } from '@sluice/core'
import { createDestinationRegistry } from '@sluice/destinations/kit'
import { openWorkspace } from '../../../workspace/text/open-workspace.ts'
import { parseText } from '../../../workspace/text/parse-text.ts'
import { asCliError } from '../../as-cli-error.ts'
import { CliError } from '../../cli-error.ts'

/**
 * Reads a tracking plan: a file that has only the plan, one of a source with `trackingPlan`, or a workspace file or folder.
 * @param sourceId which source's plan of a workspace; needed where several have one.
 * @throws CliError when there is none, or when it cannot be used.
 */
export async function readPlan(path: string, sourceId?: string): Promise<TrackingPlan> {
  try {
    return checked(await foundIn(path, sourceId), path)
  } catch (error) {
    throw asCliError(error)
  }
}

async function foundIn(path: string, sourceId: string | undefined): Promise<JsonValue> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new CliError(`${path} cannot be read; name the file of a tracking plan`)
  const parsed = found.isDirectory() ? undefined : await parseText(await readFile(path, 'utf8'), path)
  if (isJsonObject(parsed) && Array.isArray(parsed['events'])) return parsed
  if (isJsonObject(parsed) && isJsonObject(parsed['trackingPlan'])) return parsed['trackingPlan']
  return planOfSource(await openWorkspace(path, { lenient: true, env: {} }), path, sourceId)
}

function planOfSource({ workspace }: { readonly workspace: JsonObject }, path: string, sourceId?: string): JsonValue {
  const all = objectsIn(workspace['workspaces']).flatMap(({ sources }) => objectsIn(sources))
  const planned = all.filter(({ trackingPlan }) => isJsonObject(trackingPlan))
  const chosen = sourceId === undefined ? planned : planned.filter(({ id }) => id === sourceId)
  const [only] = chosen
  if (chosen.length === 1 && only?.['trackingPlan'] !== undefined) return only['trackingPlan']
  if (planned.length === 0)
    throw new CliError(`${path} has no tracking plan: neither events nor a source with trackingPlan`)
  const ids = planned.map(({ id }) => String(id)).join(', ')
  throw new CliError(
    sourceId === undefined
      ? `${path} has several tracking plans; choose the source with --source: ${ids}`
      : `--source ${sourceId}: ${path} has no tracking plan for it; it has those of ${ids}`,
  )
}

/** Checks a plan as the plan of a source is checked. */
function checked(trackingPlan: JsonValue, path: string): TrackingPlan {
  const source = { id: 'plan', writeKey: 'plan', trackingPlan }
  const workspace = { id: 'plan', sources: [source], destinations: [], connections: [] }
  const { workspaces, problems } = parseWorkspaces(
    { workspaces: [workspace] },
    { destinations: createDestinationRegistry([]), env: {} },
  )
  const [problem] = problems
  if (problem !== undefined) {
    const at = problem.path.replace('workspaces[0].sources[0].', '')
    throw new CliError(`${path}: ${at} is ${problem.value}, expected ${problem.allowed}`)
  }
  const plan = workspaces[0]?.sources[0]?.trackingPlan
  if (plan === undefined) throw new CliError(`${path} has no tracking plan`)
  return plan
}

function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}
