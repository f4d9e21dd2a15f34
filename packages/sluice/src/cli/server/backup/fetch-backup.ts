import { open, rm, stat } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { CliError } from '../../cli-error.ts'

/** First bytes of every SQLite file. */
const fileBegin = 'SQLite format 3\0'
/** Longest time without data: the most a server takes to make the copy. */
const silenceMsMax = 3_600_000
/** Characters of an error response that are read. */
const refusalLengthMax = 10_000

/**
 * Downloads a copy of a server's store, with the admin credentials from the environment, checks it, and writes it to a
 * new file. The file appears whole or not at all. @throws CliError
 */
export async function fetchBackup(url: string, file: string): Promise<void> {
  if (await stat(file).catch(() => undefined)) throw new CliError(`${file} already exists: name a new file`)
  const { SERVICE_ADMIN_USER: user, SERVICE_ADMIN_PASSWORD: password } = process.env
  if (!user || !password) throw new CliError('set SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD to those of the server')
  if (!URL.canParse('/v1/backup', url)) throw new CliError(`${url} is not the URL of a server`)
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const response = await ask(new URL('/v1/backup', url), authorization).catch((error: unknown) => {
    throw new CliError(`${url} does not answer (${reasonOf(error)}); is the server running? --data copies without one`)
  })
  if (response.statusCode !== 200)
    throw new CliError(`${url} answered ${response.statusCode}${await messageOf(response)}`)
  await writeNew(file, response, Number(response.headers['content-length']))
}

/** Not with fetch, which times out after five minutes: the server first makes the copy, then answers. */
function ask(url: URL, authorization: string): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { authorization }, agent: false }, resolve).on('error', reject)
    asked.setTimeout(silenceMsMax, () => asked.destroy(new Error(`no data for ${silenceMsMax / 60_000} minutes`)))
    asked.end()
  })
}

async function messageOf(response: IncomingMessage): Promise<string> {
  try {
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      if (text.length > refusalLengthMax) break
    }
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null && 'message' in answer ? `: ${answer.message}` : ''
  } catch {
    return ''
  }
}

/** Writes a new file, whole or not at all. */
async function writeNew(file: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
  const [{ takeBackup }, { asCliError }] = await Promise.all([
    import('@sluice/storage'),
    import('../../as-cli-error.ts'),
  ])
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  const written = await open(partial, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${file} cannot be created (${error.code})`)
  })
  try {
    let length = 0
    let begin = ''
    for await (const chunk of bytes) {
      if (begin.length < fileBegin.length) begin += Buffer.from(chunk.subarray(0, 64)).toString('latin1')
      length += chunk.byteLength
      await written.writeFile(chunk)
    }
    if (length !== size || !begin.startsWith(fileBegin))
      throw new CliError('the received backup is incomplete; try again')
    await written.sync()
    await written.close()
    await takeBackup(partial, file, 'the sluice.db of the server')
  } catch (error) {
    const cliError = asCliError(error)
    throw cliError instanceof CliError ? cliError : new CliError(`the backup was not written: ${reasonOf(error)}`)
  } finally {
    await written.close()
    await rm(partial, { force: true })
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
