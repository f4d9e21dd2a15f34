import { printable, printableLines } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import { CliError } from '../../cli-error.ts'
import { confirm } from '../../terminal/confirm.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags, ServerRefusal } from '../ask-server.ts'
import { codeDiff } from '../sync/code-diff.ts'
import { publishProblems } from '../sync/publish-problems.ts'

export interface TransformationFlags extends ServerFlags {
  readonly yes?: true
}

interface Version {
  readonly versionId: string
  readonly name: string
  readonly code: string
  readonly createdAt: string
}

interface Transformation extends Version {
  readonly id: string
  readonly description: string
  /** Null when none is live. */
  readonly publishedVersionId: string | null
  readonly updatedAt: string
  readonly destinations?: readonly { readonly id: string }[]
}

export async function listTransformations(flags: TransformationFlags): Promise<void> {
  const transformations = await all(flags)
  if (flags.json) return printJson(transformations.map(({ code: _, ...others }) => others))
  const rows = transformations.map(({ name, id, publishedVersionId, versionId, destinations = [] }) => [
    printable(name),
    id,
    publishedVersionId === null ? 'not live' : publishedVersionId === versionId ? 'live' : 'live, newer saved',
    destinations.map((destination) => printable(destination.id)).join(', '),
  ])
  if (rows.length > 0) printLine(table([['name', 'id', 'state', 'destinations'], ...rows], 4))
  process.stderr.write(`${rows.length} ${rows.length === 1 ? 'transformation' : 'transformations'}\n`)
}

export async function showTransformation(name: string, flags: TransformationFlags): Promise<void> {
  const found = await find(name, flags)
  if (flags.json) return printJson(found)
  const { id, description, publishedVersionId, versionId, updatedAt, destinations = [], code } = found
  const rows = [
    ['name', printable(found.name)],
    ['id', id],
    ['description', printable(description)],
    ['newest version', `${versionId}, saved ${updatedAt}`],
    ['live version', publishedVersionId ?? 'none'],
    ['destinations', destinations.map((destination) => printable(destination.id)).join(', ')],
  ]
  printLine(`${table(rows, 2)}\n\n${printableLines(code.trimEnd())}`)
}

export async function listVersions(name: string, flags: TransformationFlags): Promise<void> {
  const transformation = await find(name, flags)
  const versions = await versionsOf(transformation, flags)
  if (flags.json) return printJson(versions)
  const { publishedVersionId } = transformation
  const rows = versions.map(({ versionId, createdAt, code }) => [
    versionId,
    createdAt,
    `${code.trimEnd().split('\n').length}`,
    versionId === publishedVersionId ? 'live' : '',
  ])
  printLine(table([['version', 'saved', 'lines', ''], ...rows], 2))
}

export async function diffVersions(
  name: string,
  from: string | undefined,
  to: string | undefined,
  flags: TransformationFlags,
): Promise<void> {
  const transformation = await find(name, flags)
  const versions = await versionsOf(transformation, flags)
  const before = versionIn(versions, from ?? transformation.publishedVersionId ?? versions[0]?.versionId)
  const after = versionIn(versions, to ?? transformation.versionId)
  const diff = codeDiff(before.code, after.code)
  if (flags.json) return printJson({ from: before.versionId, to: after.versionId, diff })
  printLine(diff === '' ? `${before.versionId} and ${after.versionId} have the same code` : diff)
}

/** Publishes an earlier version. The server tests it like any other. */
export async function rollBack(name: string, flags: TransformationFlags & { readonly to?: string }): Promise<void> {
  const transformation = await find(name, flags)
  const { publishedVersionId } = transformation
  const versions = await versionsOf(transformation, flags)
  const live = versions.find(({ versionId }) => versionId === publishedVersionId)
  if (flags.to === undefined && live === undefined)
    throw new CliError(`${name} has no live version; name one with --to (sluice transformations versions ${name})`)
  const earlier = live && versions.slice(0, versions.indexOf(live)).findLast(({ code }) => code !== live.code)
  if (flags.to === undefined && earlier === undefined)
    throw new CliError(`${name} has no version before the live one with other code`)
  const version = versionIn(versions, flags.to ?? earlier?.versionId)
  if (!flags.json) printLine(codeDiff(live?.code ?? '', version.code) || 'the code is the same')
  if (!flags.yes && !(await confirm(`Publish version ${version.versionId} of ${printable(name)} at ${flags.url}?`)))
    throw new CliError('nothing was changed')
  const payload = { transformations: [{ versionId: version.versionId }] }
  await askServer(flags, 'POST', '/transformations/libraries/publish', payload).catch((error: unknown) => {
    const reasons = error instanceof ServerRefusal ? publishProblems(error) : ''
    if (!(error instanceof CliError) || reasons === '') throw error
    throw new CliError(`${error.message}\n${reasons}`, 1, { cause: error })
  })
  if (flags.json) return printJson({ id: transformation.id, versionId: version.versionId, before: publishedVersionId })
  printLine(`version ${version.versionId} is live`)
}

export async function connectTransformation(
  action: 'connect' | 'disconnect',
  name: string,
  destinationId: string,
  flags: TransformationFlags,
): Promise<void> {
  const { id } = await find(name, flags)
  const path = `/transformations/${encodeURIComponent(id)}/${action === 'connect' ? 'connectToDestination' : 'disconnectFromDestination'}`
  await askServer(flags, 'POST', path, { destinationId })
  if (flags.json) return printJson({ id, destinationId, connected: action === 'connect' })
  const state = action === 'connect' ? 'runs for' : 'does not run for'
  printLine(`${printable(name)} ${state} ${printable(destinationId)}${action === 'connect' ? '' : ' any more'}`)
}

export async function deleteTransformation(name: string, flags: TransformationFlags): Promise<void> {
  const { id, destinations = [] } = await find(name, flags)
  const connected =
    destinations.length === 0 ? '' : `, which runs for ${destinations.map((each) => each.id).join(', ')},`
  if (!flags.yes && !(await confirm(`Delete ${printable(`${name}${connected}`)} at ${flags.url}?`)))
    throw new CliError('nothing was deleted')
  await askServer(flags, 'DELETE', `/transformations/${encodeURIComponent(id)}`)
  if (flags.json) return printJson({ deleted: id })
  printLine(`${printable(name)} is deleted`)
}

async function all(flags: ServerFlags): Promise<readonly Transformation[]> {
  const answer = await askServer<{ transformations: readonly Transformation[] }>(flags, 'GET', '/transformations')
  return answer.transformations
}

/** Finds a transformation by its id, or by its name if only one has it. */
async function find(name: string, flags: ServerFlags): Promise<Transformation> {
  const transformations = await all(flags)
  const byId = transformations.find(({ id }) => id === name)
  const [first, second] = transformations.filter((each) => each.name === name)
  if (byId === undefined && second)
    throw new CliError(`${name}: several transformations have this name; give an id of sluice transformations list`)
  const found = byId ?? first
  if (found) return found
  const names = transformations.map((each) => each.name).join(', ')
  throw new CliError(`${flags.url} has no transformation ${name}${names === '' ? '' : `; it has ${names}`}`)
}

async function versionsOf({ id }: Transformation, flags: ServerFlags): Promise<readonly Version[]> {
  const path = `/transformations/${encodeURIComponent(id)}/versions`
  return (await askServer<{ TransformationVersions: readonly Version[] }>(flags, 'GET', path)).TransformationVersions
}

function versionIn(versions: readonly Version[], wanted: string | undefined): Version {
  const found = versions.find(({ versionId }) => versionId === wanted)
  if (found) return found
  throw new CliError(`there is no version ${wanted ?? ''}; sluice transformations versions lists them`)
}

function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2))
}
