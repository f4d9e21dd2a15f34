import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { CliError } from './cli-error.ts'
import { say } from './say.ts'

interface BackupFlags {
  readonly url: string
  readonly data?: string
}

/** What every file of SQLite begins with. */
const fileBegin = 'SQLite format 3\0'

/** `sluice backup`: a copy of a store, of a running server or of a folder nobody uses. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('write a consistent copy of the whole store to a new file, while the server goes on')
    .argument('<file>', 'that is made, for its owner only')
    .addOption(new Option('--url <url>', 'of the server').env('SLUICE_URL').default('http://127.0.0.1:8080'))
    .option('--data <folder>', 'copy the store of a folder that no server uses, instead of asking one')
    .addHelpText(
      'after',
      `
A server is asked with SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD, at the port of the Data Governance API.
To go back to a backup, stop the server and put the file in the place of sluice.db; remove sluice.db-wal.

Examples:
  sluice backup sluice-monday.db
  sluice backup sluice-monday.db --data .sluice`,
    )
    .action(async (file: string, { url, data }: BackupFlags) => {
      if (data === undefined) await fetchBackup(url, file)
      else {
        const [{ backupSqliteStore }, { asCliError }] = await Promise.all([
          import('@sluice/storage'),
          import('./as-cli-error.ts'),
        ])
        await backupSqliteStore(join(data, 'sluice.db'), file).catch((error) => Promise.reject(asCliError(error)))
      }
      const { size } = await stat(file)
      say(`${file}: ${size} bytes`)
    })
}

async function fetchBackup(url: string, file: string): Promise<void> {
  if (await stat(file).catch(() => undefined)) throw new CliError(`${file} is there already: name a new file`)
  const { SERVICE_ADMIN_USER: user, SERVICE_ADMIN_PASSWORD: password } = process.env
  if (!user || !password)
    throw new CliError('set SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD, as the server has them')
  if (!URL.canParse('/v1/backup', url)) throw new CliError(`${url} is no address of a server`)
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const response = await fetch(new URL('/v1/backup', url), { headers: { authorization } }).catch((error: unknown) => {
    throw new CliError(`${url} does not answer (${reasonOf(error)}); is the server running? --data copies without one`)
  })
  if (!response.ok || response.body === null) {
    const answer: unknown = await response.json().catch(() => undefined)
    const message = typeof answer === 'object' && answer !== null && 'message' in answer ? `: ${answer.message}` : ''
    throw new CliError(`${url} answered ${response.status}${message}`)
  }
  await writeNew(file, response.body, Number(response.headers.get('content-length')))
}

/** Writes a new file, whole or not at all. */
async function writeNew(file: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
  const [{ takeBackup }, { asCliError }] = await Promise.all([import('@sluice/storage'), import('./as-cli-error.ts')])
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  const written = await open(partial, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${file} cannot be made (${error.code})`)
  })
  try {
    let length = 0
    let begin = ''
    for await (const chunk of bytes) {
      if (begin.length < fileBegin.length) begin += Buffer.from(chunk.subarray(0, 64)).toString('latin1')
      length += chunk.byteLength
      await written.writeFile(chunk)
    }
    if (length !== size || !begin.startsWith(fileBegin)) throw new CliError('what came is no whole backup; try again')
    await written.sync()
    await written.close()
    takeBackup(partial, file, 'the sluice.db of the server')
  } catch (error) {
    const mendable = asCliError(error)
    throw mendable instanceof CliError ? mendable : new CliError(`the backup was not written: ${reasonOf(error)}`)
  } finally {
    await written.close()
    await rm(partial, { force: true })
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
