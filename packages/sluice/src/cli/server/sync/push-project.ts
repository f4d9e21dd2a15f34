import { InvariantError } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { fetchNotAllowed } from '@sluice/sandbox'
import { loadProject, lookedFor, type Project, toSubject } from '@sluice/testing'
import { CliError } from '../../cli-error.ts'
import { confirm } from '../../terminal/confirm.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags, ServerRefusal } from '../ask-server.ts'
import { changeText } from './change-text.ts'
import { type Compared, compareCodes } from './compare-codes.ts'
import { connectAll, type NewConnection } from './connect-all.ts'
import { type PublishInput, publishInput } from './publish-input.ts'
import { publishProblems } from './publish-problems.ts'
import { serverCodes } from './server-codes.ts'
import { withProjectErrors } from './with-project-errors.ts'

export interface PushFlags extends ServerFlags {
  readonly dryRun?: boolean
  readonly yes?: boolean
  /** False saves versions without publishing them. */
  readonly publish: boolean
  /** False leaves the tests of the project out. */
  readonly test: boolean
  readonly only: readonly string[]
  readonly connect: readonly NewConnection[]
}

/** Maximum number of versions a server publishes at a time. */
const publishedMax = 100

/** Runs `sluice push`: shows the differences, saves new versions, and publishes them together once their tests pass. */
export async function pushProject(folder: string, flags: PushFlags): Promise<void> {
  await withProjectErrors(() => push(folder, flags))
}

async function push(folder: string, flags: PushFlags): Promise<void> {
  const project = await loadProject(folder)
  if (project === undefined)
    throw new CliError(`${folder}: no project found; looked for ${lookedFor.join('; ')} (sluice init makes one)`)
  const all = compareCodes(project, await serverCodes(flags))
  const wanted = chosen(all, flags.only)
  requireLibraries(project, all, wanted)
  for (const { transformation } of flags.connect)
    if (!all.some(({ kind, name }) => kind === 'transformation' && name === transformation))
      throw new CliError(`--connect ${transformation}: there is no transformation of that name, here or on the server`)
  const changes = wanted.filter(({ state }) => state === 'new' || state === 'changed' || state === 'saved')
  if (!flags.json) for (const compared of wanted) printLine(changeText(compared, 'push'))
  if (changes.length === 0 && !flags.dryRun && flags.connect.length > 0) {
    await connectAll(flags, flags.connect)
    return done(flags, wanted, false)
  }
  if (changes.length === 0 || flags.dryRun) return done(flags, wanted, false)
  if (flags.publish && changes.length > publishedMax)
    throw new CliError(
      `${changes.length} changes; at most ${publishedMax} can be published at a time: choose some with --only, libraries first`,
    )

  const input: PublishInput = flags.publish ? await publishInput(project, changes, !flags.test) : { events: new Map() }
  if (input.summary !== undefined && !flags.json) printLine(`tests: ${input.summary}`)
  if (
    !flags.yes &&
    !(await confirm(`${flags.publish ? 'Publish' : 'Save'} ${counted(changes.length)} at ${flags.url}?`))
  )
    throw new CliError('nothing was changed')
  requireUnchanged(changes, compareCodes(project, await serverCodes(flags)))
  const saved = await saveAll(flags, changes)
  if (!flags.publish) return done(flags, wanted, false, `${counted(changes.length)} saved, none of them live`)

  const payload = {
    libraries: saved.filter(({ change }) => change.kind === 'library').map(({ versionId }) => ({ versionId })),
    transformations: saved
      .filter(({ change }) => change.kind === 'transformation')
      .map(({ change, versionId }) => ({ versionId, testInput: input.events.get(change.name) ?? [] })),
  }
  await askServer(flags, 'POST', '/transformations/libraries/publish', payload).catch((error: unknown) =>
    throwUnpublished(
      error,
      [...input.events].flatMap(([name, events]) => (events.length === 0 ? name : [])),
    ),
  )
  await connectAll(flags, flags.connect)
  const unconnected = changes.filter(
    ({ kind, state, name }) =>
      kind === 'transformation' &&
      state === 'new' &&
      !flags.connect.some(({ transformation }) => transformation === name),
  )
  const [first] = unconnected
  const hint =
    first === undefined
      ? ''
      : `\nNew transformations get events once they are connected: sluice push --connect ${printable(first.name)}=DESTINATION`
  done(flags, wanted, true, `${counted(changes.length)} live at ${flags.url}${hint}`)
}

function chosen(all: readonly Compared[], only: readonly string[]): readonly Compared[] {
  const unknown = only.filter((name) => !all.some((compared) => compared.local && compared.name === name))
  if (unknown.length > 0) throw new CliError(`--only ${unknown.join(', ')}: the project has none of that name`)
  return only.length === 0 ? all : all.filter(({ name }) => only.includes(name))
}

/** Checks that the server has, or gets, every library that the chosen transformations import. */
function requireLibraries(project: Project, all: readonly Compared[], wanted: readonly Compared[]): void {
  for (const { kind, name, state } of wanted) {
    const own = project.transformations.find((each) => each.name === name)
    if (kind !== 'transformation' || own === undefined || state === 'same') continue
    const imported = (toSubject(project, own).libraries ?? []).map((library) => library.code)
    const missing = all.filter(
      (each) => each.kind === 'library' && each.state === 'new' && imported.includes(each.local?.code ?? ''),
    )
    const [first] = missing.filter((each) => !wanted.includes(each))
    if (first !== undefined)
      throw new CliError(
        `--only ${name}: it imports the library ${first.name}, which the server does not have; add --only ${first.name}`,
      )
  }
}

/** Checks that the server's code is still what was shown and confirmed. */
function requireUnchanged(changes: readonly Compared[], now: readonly Compared[]): void {
  const versions = ({ server }: Compared): string =>
    `${server?.isLive} ${server?.versionId} ${server?.draft?.versionId}`
  for (const change of changes) {
    const other = now.find(({ kind, name, local }) => kind === change.kind && name === change.name && local)
    if (other === undefined || versions(other) !== versions(change))
      throw new CliError(
        `someone else changed the ${change.kind} ${change.name} on the server meanwhile; nothing was changed: push again to see it`,
      )
  }
}

interface Saved {
  readonly change: Compared
  readonly versionId: string
}

/** Saves changes one after the other, except those already saved. */
async function saveAll(flags: ServerFlags, changes: readonly Compared[]): Promise<readonly Saved[]> {
  const saved: Saved[] = []
  for (const change of changes)
    try {
      saved.push({ change, versionId: change.versionId ?? (await save(flags, change)) })
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      throw new CliError(
        `${change.kind} ${change.name}: ${error.message}\nSaved before that: ${saved.length} of ${counted(changes.length)}; nothing went live. Fix it and push again.`,
        1,
        { cause: error },
      )
    }
  return saved
}

/** @param sampled transformations that the server tested with its sample events, because none of their own pass. */
function throwUnpublished(error: unknown, sampled: readonly string[]): never {
  if (!(error instanceof CliError)) throw error
  // No answer, an answer of a proxy, or a failure midway: the code may be live.
  if (!(error instanceof ServerRefusal) || error.code === '' || error.code === 'internal')
    throw new CliError(
      `${error.message}\nThe versions are saved; whether they went live is unknown: check with sluice push --dry-run.`,
    )
  const problems = publishProblems(error)
  throw new CliError(
    [
      error.message,
      problems,
      problems.includes(fetchNotAllowed)
        ? 'The server asks the network when user code fetches, and allows no host: its operator allows one with sluice serve --fetch-allow HOST.'
        : '',
      error.code === 'testsFailed' && sampled.length > 0
        ? `The server used its sample events for ${sampled.join(', ')}: no case has an event that passes; add one.`
        : '',
      'The versions are saved but nothing went live; fix the code and push again.',
    ]
      .filter((line) => line !== '')
      .join('\n'),
    1,
    { cause: error },
  )
}

/** Saves a new version and returns its id. */
async function save(flags: ServerFlags, { kind, local, server }: Compared): Promise<string> {
  const base = kind === 'library' ? '/libraries' : '/transformations'
  if (local === undefined) throw new InvariantError('only what the project has can be saved')
  const { name, description, code, language } = local
  // Set only on creation.
  const importName = 'importName' in local && !server ? { importName: local.importName } : {}
  const path = server ? `${base}/${encodeURIComponent(server.id)}` : base
  const body = { name, description, code, language, ...importName }
  return (await askServer<{ readonly versionId: string }>(flags, 'POST', path, body)).versionId
}

const counted = (count: number): string => `${count} change${count === 1 ? '' : 's'}`

function done(flags: PushFlags, wanted: readonly Compared[], isPublished: boolean, text?: string): void {
  const changes = wanted.map(({ kind, name, state }) => ({ kind, name, state }))
  if (flags.json) printLine(JSON.stringify({ changes, published: isPublished }))
  else if (text !== undefined) printLine(text)
  else {
    const count = wanted.filter(({ state }) => state === 'new' || state === 'changed' || state === 'saved').length
    printLine(
      count === 0 ? `nothing to do: ${flags.url} has all of it` : `${counted(count)}; nothing was done (--dry-run)`,
    )
  }
}
