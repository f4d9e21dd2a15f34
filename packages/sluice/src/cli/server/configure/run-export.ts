import { isDeepStrictEqual } from 'node:util'
import { adminTokenVariable, type SecretVariable, secretsToVariables, unknownSettingsIn } from '@sluice/configuration'
import { isJsonObject, type JsonObject } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { type DestinationRegistry, maskedText } from '@sluice/destinations/kit'
import { registryWith } from '../../../workspace/known-destinations.ts'
import { workspaceText } from '../../offline/configure/workspace-text.ts'
import { writeWorkspace } from '../../offline/configure/write-workspace.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'
import { serverCodes } from '../sync/server-codes.ts'
import { type ConfigurationPart, configurationOf } from './configuration-part.ts'

export interface ExportFlags extends ServerFlags {
  readonly out?: string
  readonly force?: true
  readonly withWriteKeys?: true
}

/** Runs `sluice export`. */
export async function runExport(flags: ExportFlags): Promise<void> {
  // A token that a variable of the server sets belongs to the server.
  const parts = (await configurationOf(flags)).filter(
    ({ kind, body }) => kind !== 'token' || body['name'] !== adminTokenVariable,
  )
  const code = await liveCode(flags)
  const registry = registryWith([])
  const exported = workspaceOf(parts, code, registry)
  const unknown = unknownSettingsIn({ workspaces: [exported] }, registry).problems
  // Clients of the API may save such settings, and compare them.
  const shown = unknown.length > 0 ? { ...exported, lenient: true } : exported
  const { workspace, variables } = secretsToVariables(shown, registry, {
    isMasked: (value) => value === maskedText,
    keepSecrets: flags.withWriteKeys === true,
    areSettingsMasked: true,
  })
  const all = [...variables, ...tokenVariables(parts)]
  const notes = withoutCode(parts, code)
  if (flags.out !== undefined) await writeWorkspace(flags.out, workspaceText(workspace), flags.force)
  if (flags.json) return printLine(JSON.stringify({ workspace, variables: all, notes }, null, 2))
  if (flags.out === undefined) process.stdout.write(workspaceText(workspace))
  else printLine(`wrote ${flags.out}`)
  const lines = [
    ...notes.map((note) => `note: ${note}`),
    ...(all.length === 0 ? [] : ['variables:']),
    ...all.map(({ name, what }) => `  ${name}  ${what}`),
  ]
  if (lines.length > 0) process.stderr.write(`${lines.map(printable).join('\n')}\n`)
}

interface LiveCode {
  /** Connected transformations by the id of their destination. */
  readonly transformations: ReadonlyMap<string, { readonly name: string; readonly code: string }>
  readonly libraries: readonly { readonly name: string; readonly code: string }[]
}

async function liveCode(flags: ServerFlags): Promise<LiveCode> {
  const codes = (await serverCodes(flags)).filter(({ isLive }) => isLive)
  const { transformations } = await askServer<{
    transformations: readonly { readonly id: string; readonly destinations?: readonly { readonly id: string }[] }[]
  }>(flags, 'GET', '/transformations')
  return {
    libraries: codes.flatMap(({ kind, importName: name, code }) => (kind === 'library' ? [{ name, code }] : [])),
    transformations: new Map(
      transformations.flatMap(({ id, destinations = [] }) => {
        const live = codes.find((each) => each.kind === 'transformation' && each.id === id)
        return live ? destinations.map((to) => [to.id, { name: live.name, code: live.code }] as const) : []
      }),
    ),
  }
}

function workspaceOf(
  parts: readonly ConfigurationPart[],
  { transformations, libraries }: LiveCode,
  registry: DestinationRegistry,
): JsonObject {
  const ofKind = (kind: ConfigurationPart['kind']): readonly ConfigurationPart[] =>
    parts.filter((part) => part.kind === kind)
  const [workspace] = ofKind('workspace')
  const tokens = ofKind('token')
  const credentials = ofKind('credential')
  return {
    id: workspace?.id ?? 'default',
    name: workspace && workspace.body['name'] !== workspace.id ? workspace.body['name'] : undefined,
    accessTokens:
      tokens.length > 0
        ? tokens.map(({ body }) => ({
            name: body['name'],
            token: `env:${tokenVariable(body)}`,
            scopes: body['scopes'],
          }))
        : undefined,
    sources: ofKind('source').map(({ id, body }) => ({ id, ...withoutDefaults(id, body) })),
    destinations: ofKind('destination').map(({ id, body }) => {
      const transformation = transformations.get(id)
      return {
        id,
        ...withoutDefaults(id, body),
        settings: settingsOf(body, registry),
        ...(transformation ? { transformation } : {}),
      }
    }),
    connections: ofKind('connection').map(({ body: { enabled, ...body } }) => ({
      ...body,
      ...(enabled === false ? { enabled } : {}),
    })),
    credentials: credentials.length > 0 ? Object.fromEntries(credentials.map(({ id }) => [id, maskedText])) : undefined,
    libraries: libraries.length > 0 ? libraries : undefined,
  }
}

function withoutDefaults(id: string, { name, enabled, ...body }: JsonObject): JsonObject {
  return { name: name === id ? undefined : name, ...body, ...(enabled === false ? { enabled } : {}) }
}

/** Leaves out settings that have the default of their type. */
function settingsOf({ type, settings }: JsonObject, registry: DestinationRegistry): JsonObject {
  const given = isJsonObject(settings) ? settings : {}
  const known: Readonly<Record<string, object>> = registry.get(String(type))?.settings.properties ?? {}
  const kept = Object.entries(given).filter(([name, value]) => {
    const schema = known[name]
    return schema === undefined || !('default' in schema) || !isDeepStrictEqual(schema.default, value)
  })
  return Object.fromEntries(kept)
}

function tokenVariable({ name }: JsonObject): string {
  return `SLUICE_TOKEN_${String(name)
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()}`
}

function tokenVariables(parts: readonly ConfigurationPart[]): readonly SecretVariable[] {
  return parts.flatMap(({ kind, body }) =>
    kind === 'token' ? [{ name: tokenVariable(body), what: `access token ${String(body['name'])}` }] : [],
  )
}

/** Notes destinations whose code the API does not show, because the workspace file of the server has it. */
function withoutCode(parts: readonly ConfigurationPart[], { transformations }: LiveCode): readonly string[] {
  return parts.flatMap(({ kind, id, managedBy }) =>
    kind === 'destination' && managedBy === 'file' && !transformations.has(id)
      ? [
          `destination ${id}: the workspace file of the server may give it a transformation, whose code the API does not show`,
        ]
      : [],
  )
}
