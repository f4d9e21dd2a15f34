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
  readonly isPublished?: boolean
}

interface Transformation extends Version {
  readonly id: string
  readonly description: string
  /** Null when none is live. Absent for libraries. */
  readonly publishedVersionId?: string | null
  /** Only of libraries. */
  readonly importName?: string
  readonly updatedAt: string
  readonly destinations?: readonly { readonly id: string }[]
}

/** Routes and words of one kind of code. */
interface CodeWords {
  readonly noun: 'transformation' | 'library'
  /** Path of the list, and its member in the answer. */
  readonly plural: 'transformations' | 'libraries'
  readonly versionsMember: 'TransformationVersions' | 'libraryVersions'
}

export const codeWords = {
  transformation: {
    noun: 'transformation',
    plural: 'transformations',
    versionsMember: 'TransformationVersions',
  },
  library: { noun: 'library', plural: 'libraries', versionsMember: 'libraryVersions' },
} as const satisfies Readonly<Record<CodeWords['noun'], CodeWords>>

export async function listLibraries(flags: TransformationFlags): Promise<void> {
  const libraries = await all(codeWords.library, flags)
  if (flags.json) return printJson(libraries.map(({ code: _, ...others }) => others))
  const rows = libraries.map(({ name, id, importName = '', updatedAt }) => [
    printable(name),
    id,
    printable(importName),
    updatedAt,
  ])
  if (rows.length > 0) printLine(table([['name', 'id', 'import name', 'saved'], ...rows], 4))
  process.stderr.write(`${rows.length} ${rows.length === 1 ? 'library' : 'libraries'}\n`)
}

export async function listTransformations(flags: TransformationFlags): Promise<void> {
  const transformations = await all(codeWords.transformation, flags)
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

export async function showCode(words: CodeWords, name: string, flags: TransformationFlags): Promise<void> {
  const found = await find(words, name, flags)
  if (flags.json) return printJson(found)
  const { id, description, versionId, importName, updatedAt, destinations = [], code } = found
  const live = liveVersionOf(found, await versionsOf(words, found, flags))
  const rows = [
    ['name', printable(found.name)],
    ['id', id],
    ['description', printable(description)],
    ['newest version', `${versionId}, saved ${updatedAt}`],
    ['live version', live?.versionId ?? 'none'],
    importName === undefined
      ? ['destinations', destinations.map((destination) => printable(destination.id)).join(', ')]
      : ['import name', printable(importName)],
  ]
  printLine(`${table(rows, 2)}\n\n${printableLines(code.trimEnd())}`)
}

export async function listVersions(words: CodeWords, name: string, flags: TransformationFlags): Promise<void> {
  const found = await find(words, name, flags)
  const versions = await versionsOf(words, found, flags)
  if (flags.json) return printJson(versions)
  const live = liveVersionOf(found, versions)
  const rows = versions.map(({ versionId, createdAt, code }) => [
    versionId,
    createdAt,
    `${code.trimEnd().split('\n').length}`,
    versionId === live?.versionId ? 'live' : '',
  ])
  printLine(table([['version', 'saved', 'lines', ''], ...rows], 2))
}

export async function diffVersions(
  words: CodeWords,
  name: string,
  from: string | undefined,
  to: string | undefined,
  flags: TransformationFlags,
): Promise<void> {
  const found = await find(words, name, flags)
  const versions = await versionsOf(words, found, flags)
  const live = liveVersionOf(found, versions)
  const before = versionIn(words, versions, from ?? live?.versionId ?? versions[0]?.versionId)
  const after = versionIn(words, versions, to ?? found.versionId)
  const diff = codeDiff(before.code, after.code)
  if (flags.json) return printJson({ from: before.versionId, to: after.versionId, diff })
  printLine(diff === '' ? `${before.versionId} and ${after.versionId} have the same code` : diff)
}

/** Publishes an earlier version. The server tests it like any other. */
export async function rollBack(
  words: CodeWords,
  name: string,
  flags: TransformationFlags & { readonly to?: string },
): Promise<void> {
  const found = await find(words, name, flags)
  const versions = await versionsOf(words, found, flags)
  const live = liveVersionOf(found, versions)
  if (flags.to === undefined && live === undefined)
    throw new CliError(`${name} has no live version; name one with --to (sluice ${words.plural} versions ${name})`)
  const earlier = live && versions.slice(0, versions.indexOf(live)).findLast(({ code }) => code !== live.code)
  if (flags.to === undefined && earlier === undefined)
    throw new CliError(`${name} has no version before the live one with other code`)
  const version = versionIn(words, versions, flags.to ?? earlier?.versionId)
  if (!flags.json) printLine(codeDiff(live?.code ?? '', version.code) || 'the code is the same')
  if (!flags.yes && !(await confirm(`Publish version ${version.versionId} of ${printable(name)} at ${flags.url}?`)))
    throw new CliError('nothing was changed')
  const payload = { [words.plural]: [{ versionId: version.versionId }] }
  await askServer(flags, 'POST', '/transformations/libraries/publish', payload).catch((error: unknown) => {
    const reasons = error instanceof ServerRefusal ? publishProblems(error) : ''
    if (!(error instanceof CliError) || reasons === '') throw error
    throw new CliError(`${error.message}\n${reasons}`, 1, { cause: error })
  })
  if (flags.json) return printJson({ id: found.id, versionId: version.versionId, before: live?.versionId ?? null })
  printLine(`version ${version.versionId} is live`)
}

export async function connectTransformation(
  action: 'connect' | 'disconnect',
  name: string,
  destinationId: string,
  flags: TransformationFlags,
): Promise<void> {
  const { id } = await find(codeWords.transformation, name, flags)
  const path = `/transformations/${encodeURIComponent(id)}/${action === 'connect' ? 'connectToDestination' : 'disconnectFromDestination'}`
  await askServer(flags, 'POST', path, { destinationId })
  if (flags.json) return printJson({ id, destinationId, connected: action === 'connect' })
  const state = action === 'connect' ? 'runs for' : 'does not run for'
  printLine(`${printable(name)} ${state} ${printable(destinationId)}${action === 'connect' ? '' : ' any more'}`)
}

export async function deleteCode(words: CodeWords, name: string, flags: TransformationFlags): Promise<void> {
  const { id, destinations = [] } = await find(words, name, flags)
  const connected =
    destinations.length === 0 ? '' : `, which runs for ${destinations.map((each) => each.id).join(', ')},`
  if (!flags.yes && !(await confirm(`Delete ${printable(`${name}${connected}`)} at ${flags.url}?`)))
    throw new CliError('nothing was deleted')
  await askServer(flags, 'DELETE', `/${words.plural}/${encodeURIComponent(id)}`)
  if (flags.json) return printJson({ deleted: id })
  printLine(`${printable(name)} is deleted`)
}

async function all({ plural }: CodeWords, flags: ServerFlags): Promise<readonly Transformation[]> {
  const answer = await askServer<Readonly<Record<string, readonly Transformation[]>>>(flags, 'GET', `/${plural}`)
  return answer[plural] ?? []
}

/** Finds code by its id, or by its name if only one has it. */
async function find(words: CodeWords, name: string, flags: ServerFlags): Promise<Transformation> {
  const { noun, plural } = words
  const listed = await all(words, flags)
  const byId = listed.find(({ id }) => id === name)
  const [first, second] = listed.filter((each) => each.name === name)
  if (byId === undefined && second)
    throw new CliError(`${name}: several ${plural} have this name; give an id of sluice ${plural} list`)
  const found = byId ?? first
  if (found) return found
  const names = listed.map((each) => each.name).join(', ')
  throw new CliError(`${flags.url} has no ${noun} ${name}${names === '' ? '' : `; it has ${names}`}`)
}

async function versionsOf(
  { plural, versionsMember }: CodeWords,
  { id }: Transformation,
  flags: ServerFlags,
): Promise<readonly Version[]> {
  const path = `/${plural}/${encodeURIComponent(id)}/versions`
  return (await askServer<Readonly<Record<string, readonly Version[]>>>(flags, 'GET', path))[versionsMember] ?? []
}

/** Transformations name their live version, libraries mark it. */
function liveVersionOf({ publishedVersionId }: Transformation, versions: readonly Version[]): Version | undefined {
  return versions.find(({ versionId, isPublished }) =>
    publishedVersionId === undefined ? isPublished : versionId === publishedVersionId,
  )
}

function versionIn({ plural }: CodeWords, versions: readonly Version[], wanted: string | undefined): Version {
  const found = versions.find(({ versionId }) => versionId === wanted)
  if (found) return found
  throw new CliError(`there is no version ${wanted ?? ''}; sluice ${plural} versions lists them`)
}

function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2))
}
