import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { JsonObject } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { loadProject, type Project, type ProjectTransformation, shownPath } from '@sluice/testing'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'
import { withProjectErrors } from '../sync/with-project-errors.ts'

export interface SaveTestFlags extends ServerFlags {
  readonly project: string
  readonly transformation?: string
  readonly keepPersonalData?: true
}

interface Letter {
  readonly destinationId: string
  readonly messageId: string
  readonly event: JsonObject
}

const nameLengthMax = 60

/** Runs `sluice dead-letters save-test`: writes the event of a dead letter where `sluice test` looks for cases. */
export async function saveTest(id: string, flags: SaveTestFlags): Promise<void> {
  await withProjectErrors(async () => {
    const project = await loadProject(flags.project)
    if (project === undefined)
      throw new CliError(`${flags.project}: no project of transformations found; sluice init makes one`)
    const query = flags.keepPersonalData ? '' : '?masked=true'
    const letter = await askServer<Letter>(flags, 'GET', `/v2/dead-letters/${encodeURIComponent(id)}${query}`)
    const name = flags.transformation ?? (await transformationOf(flags, letter.destinationId))
    const transformation = chosen(project, name, letter.destinationId)
    const file = caseFileFor(transformation, project, letter)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, `${JSON.stringify(letter.event, null, 2)}\n`, { flag: 'wx', mode: 0o600 }).catch(
      (error: NodeJS.ErrnoException) => {
        const why = error.code === 'EEXIST' ? 'exists already' : `cannot be written (${error.code})`
        throw new CliError(`${shownPath(process.cwd(), file)} ${why}`)
      },
    )
    if (flags.json) return printLine(JSON.stringify({ file, transformation: transformation.name }))
    printLine(`${shownPath(process.cwd(), file)}: run it with sluice test`)
  })
}

/** Returns the name of the transformation of a destination; undefined when it has none. */
async function transformationOf(flags: ServerFlags, destinationId: string): Promise<string | undefined> {
  const { destination } = await askServer<{ destination: { readonly transformation?: { readonly name: string } } }>(
    flags,
    'GET',
    `/v2/destinations/${encodeURIComponent(destinationId)}`,
  )
  return destination.transformation?.name
}

function chosen(project: Project, name: string | undefined, destinationId: string): ProjectTransformation {
  const names = project.transformations.map((each) => each.name).join(', ')
  if (name === undefined)
    throw new CliError(
      `destination ${destinationId} has no transformation, which a test would run; name one of ${names} with --transformation`,
    )
  const found = project.transformations.find((each) => each.name === name)
  if (found === undefined)
    throw new CliError(
      `the project has no transformation ${printable(name)}; name one of ${names} with --transformation`,
    )
  return found
}

/** Returns a new file beside the other cases of a transformation, or where its first one belongs. */
function caseFileFor({ file, cases }: ProjectTransformation, project: Project, { messageId }: Letter): string {
  if (project.layout !== 'folders')
    throw new CliError(
      `the project lists its cases by hand (${project.layout}); sluice dead-letters show prints the event`,
    )
  const existing = cases.find(({ inputFile }) => inputFile !== undefined)?.inputFile
  const base = basename(file).replace(/\.[jt]s$/, '')
  const isLone = basename(dirname(file)) !== 'transformations'
  const folder =
    existing === undefined ? join(project.root, ...(isLone ? ['input'] : ['tests', base, 'input'])) : dirname(existing)
  const name =
    messageId
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^\.+/, '')
      .slice(0, nameLengthMax) || 'event'
  for (let copy = 1; ; copy += 1) {
    const path = join(folder, `${name}${copy === 1 ? '' : `-${copy}`}.json`)
    if (!existsSync(path)) return path
  }
}
