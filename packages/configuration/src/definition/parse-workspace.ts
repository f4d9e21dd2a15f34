import type { JsonObject, Library, TrackingPlan, Transformation, Workspace } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import { gateNames, parseSettings } from '@sluice/destinations/kit'
import { defaultObservation, trackingPlanProblem } from '@sluice/schema'
import { transformationVersionId } from '@sluice/transformations'
import { accessTokenOf } from './access-token-of.ts'
import { isUnfinished } from './is-unfinished.ts'
import type { Collected, KnownIds, Placed, Sparse } from './parse-context.ts'
import { type Problem, shown } from './problems/problem.ts'
import { reportDuplicates } from './problems/report-duplicates.ts'
import type { WellFormedPart } from './well-formed-parts.ts'
import type { WorkspaceForm } from './workspace-schema.ts'

/** Parses one workspace. Where a part is invalid, adds a problem and continues with the others. */
export function parseWorkspace({ definition, path, ids }: WellFormedPart, collected: Collected): Workspace {
  const {
    id,
    name = id,
    showSecrets = false,
    sandbox,
    sources,
    destinations,
    connections,
    accessTokens = [],
    libraries = [],
    credentials,
  } = definition
  const known = collected.known?.(id)
  const placed = <T>(items: Sparse<T>, list: string, member: string): Sparse<Placed<T>> =>
    items.map((item, i) => (item === undefined ? undefined : { item, path: `${path}.${list}[${i}].${member}` }))
  reportDuplicates(placed(sources, 'sources', 'id'), (source) => source.id, collected)
  reportDuplicates(placed(destinations, 'destinations', 'id'), (destination) => destination.id, collected)
  reportDuplicates(placed(libraries, 'libraries', 'name'), (library) => library.name, collected)

  const libraryRecords = mapPresent(
    libraries,
    (library, i): Library => ({
      name: library.name,
      code: codeOf(library, `${path}.libraries[${i}]`, collected),
    }),
  )
  return {
    id,
    name,
    showSecrets: showSecrets || undefined,
    trustsCode: sandbox?.code === undefined ? undefined : sandbox.code === 'trusted',
    sources: mapPresent(sources, ({ observe, trackingPlan, planLink, formerWriteKey, ...source }, i) => ({
      ...source,
      // Anything parsed from JSON or YAML is JSON.
      planLink: planLink ? { id: planLink.id, config: planLink.config as JsonObject } : undefined,
      name: source.name ?? source.id,
      enabled: source.enabled ?? true,
      formerWriteKey: formerWriteKey
        ? { ...formerWriteKey, validUntil: Date.parse(formerWriteKey.validUntil) }
        : undefined,
      observe: observe ? withDefaults(defaultObservation, observe) : undefined,
      trackingPlan: trackingPlan
        ? trackingPlanOf(trackingPlan, `${path}.sources[${i}].trackingPlan`, collected)
        : undefined,
    })),
    destinations: mapPresent(destinations, (destination, i) => {
      const at = `${path}.destinations[${i}]`
      const { transformation } = destination
      return {
        id: destination.id,
        name: destination.name ?? destination.id,
        enabled: destination.enabled ?? true,
        ...typeAndSettings(destination, at, collected),
        transformation: transformation
          ? transformationOf(
              transformation,
              { workspaceId: id, name: destination.id, path: `${at}.transformation` },
              libraryRecords,
              collected,
            )
          : undefined,
      }
    }),
    connections: mapPresent(connections, ({ source, destination, settings, enabled = true }, i) => {
      const at = `${path}.connections[${i}]`
      requireKnown(source, [ids.sources, known?.sources], `${at}.source`, collected)
      requireKnown(destination, [ids.destinations, known?.destinations], `${at}.destination`, collected)
      refuseGates(settings, `${at}.settings`, collected)
      const connection = { sourceId: source, destinationId: destination }
      return enabled ? [{ ...connection, settings: settings ? (settings as JsonObject) : undefined }] : []
    }).flat(),
    accessTokens: mapPresent(accessTokens, (token, i) =>
      accessTokenOf(token, `${path}.accessTokens[${i}].token`, collected),
    ),
    credentials: credentials ? credentialsOf(definition, `${path}.credentials`, collected) : undefined,
  }
}

function mapPresent<T, U>(items: Sparse<T>, map: (item: T, index: number) => U): readonly U[] {
  return items.flatMap((item, i) => (item === undefined ? [] : [map(item, i)]))
}

function typeAndSettings(
  { type, settings = {} }: WorkspaceForm['destinations'][number],
  path: string,
  { destinations, problems, unfinished, refusal, yields }: Collected,
): { readonly type: string; readonly settings: JsonObject; readonly enabled?: false } {
  const found = destinations.get(type)
  if (found === undefined) {
    problems.push({ path: `${path}.type`, value: shown(type), allowed: destinations.allowedInsteadOf(type) })
    return { type, settings: {} }
  }
  const parsed = parseSettings(found, settings)
  if (parsed.ok) {
    const allowed = refusal?.(found, parsed.settings, path)
    if (allowed !== undefined) problems.push({ path: `${path}.type`, value: found.type, allowed })
    return { type: found.type, settings: parsed.settings }
  }
  const isAccepted = yields?.(path) === true && isUnfinished(found.type, parsed.problems)
  for (const { path: inSettings, value, allowed } of parsed.problems)
    (isAccepted ? unfinished : problems).push({
      path: `${path}.settings${inSettings && `.${inSettings}`}`,
      value: shown(value),
      allowed,
    })
  // Anything parsed from JSON is JSON.
  return isAccepted
    ? { type: found.type, settings: settings as JsonObject, enabled: false }
    : { type: found.type, settings: {} }
}

function codeOf(
  { code, file }: { readonly code?: string; readonly file?: string },
  path: string,
  { problems }: Collected,
): string {
  if (code !== undefined && file === undefined) return code
  const value = code === undefined ? 'neither' : 'both'
  problems.push({ path, value, allowed: 'exactly one of code (text) or file (a path beside the workspace file)' })
  return ''
}

function transformationOf(
  definition: { readonly name?: string; readonly code?: string; readonly file?: string },
  { workspaceId, name, path }: { readonly workspaceId: string; readonly name: string; readonly path: string },
  libraries: readonly Library[],
  collected: Collected,
): Transformation {
  const code = codeOf(definition, path, collected)
  const versionId = transformationVersionId(code, libraries)
  const transformation = { versionId, name: definition.name ?? name, code, libraries }
  if (code !== '') collected.transformations.push({ path, workspaceId, transformation })
  return transformation
}

const setVariable = 'the value, or env: and the name of a variable that is set'
const ownVariable =
  'the value, or env: and a variable of the workspace: one of credentialVariables in the workspace file; without that list SLUICE_CREDENTIAL_…, where there is no other workspace'

/**
 * Resolves credentials. Problems do not show their values, which are secrets. The file may name any variable; what comes
 * from the API may only name those of its workspace, because variables of others hold their secrets.
 */
function credentialsOf(
  { credentials = {}, credentialVariables }: WorkspaceForm,
  path: string,
  { env, problems, yields, hasOthers }: Collected,
): Readonly<Record<string, string>> {
  const isOwn = (variable: string): boolean =>
    credentialVariables?.includes(variable) ?? (!hasOthers && variable.startsWith('SLUICE_CREDENTIAL_'))
  const values = Object.entries(credentials).map(([key, text]): [string, string] => {
    const at = `${path}.${key}`
    const variable = text.startsWith('env:') ? text.slice('env:'.length) : undefined
    const mayName = variable === undefined || !yields?.(at) || isOwn(variable)
    const value = variable === undefined ? text : mayName ? env[variable] : undefined
    if (!value) problems.push({ path: at, value: '(hidden)', allowed: mayName ? setVariable : ownVariable })
    return [key, value ?? '']
  })
  return Object.fromEntries(values)
}

/** Most ids that a problem lists. */
const listedMax = 100

function requireKnown(
  id: string,
  [own, others]: readonly [KnownIds | undefined, KnownIds | undefined],
  path: string,
  { problems }: Collected,
): void {
  if (own === undefined || own.has(id) || others?.has(id)) return
  problems.push(unknownReference(id, path, others ? [own, others] : [own]))
}

/** Returns the problem of a reference to something that is not there. */
export function unknownReference(id: string, path: string, known: readonly KnownIds[]): Problem {
  const size = known.reduce((sum, ids) => sum + ids.size, 0)
  const named: string[] = []
  for (const ids of known)
    for (const one of ids.keys()) {
      if (named.length >= listedMax) break
      named.push(one)
    }
  const listed = named.join(', ')
  const allowed = size > listedMax ? `one of ${size} ids: ${listed}, …` : `one of ${listed}`
  return { path, value: shown(id), allowed: size === 0 ? 'nothing: there is none to connect' : allowed }
}

/** Gates have no effect on a connection, where people could take them for granted. */
function refuseGates(settings: object | undefined, path: string, { problems }: Collected): void {
  for (const [name, value] of Object.entries(settings ?? {}))
    if (gateNames.includes(name))
      problems.push({
        path: `${path}.${name}`,
        value: shown(value),
        allowed: 'nothing here: it is a setting of the destination (destinations[].settings), for all its connections',
      })
}

function trackingPlanOf(
  plan: NonNullable<WorkspaceForm['sources'][number]['trackingPlan']>,
  path: string,
  { problems }: Collected,
): TrackingPlan {
  // Anything parsed from JSON or YAML is JSON.
  const trackingPlan = { unplanned: 'pass', ...plan } as TrackingPlan
  const problem = trackingPlanProblem(trackingPlan)
  if (problem !== undefined)
    problems.push({ path, value: 'a plan that cannot be used', allowed: `one whose schemas compile (${problem})` })
  return trackingPlan
}
