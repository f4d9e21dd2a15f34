import { open, rm, stat } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { CliError } from './cli-error.ts'

/** What every file of SQLite begins with. */
const fileBegin = 'SQLite format 3\0'
/** As long as a server takes at most, for one step of it. */
const silenceMsMax = 3_600_000
/** What is read of a refusal, in characters. */
const refusalLengthMax = 10_000

/**
 * Asks a server for a copy of its store, with the admin credentials of the environment, and writes it to a new file, whole
 * and read through or not at all. @throws CliError
 */
export async function fetchBackup(url: string, file: string): Promise<void> {
  if (await stat(file).catch(() => undefined)) throw new CliError(`${file} is there already: name a new file`)
  const { SERVICE_ADMIN_USER: user, SERVICE_ADMIN_PASSWORD: password } = process.env
  if (!user || !password)
    throw new CliError('set SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD, as the server has them')
  if (!URL.canParse('/v1/backup', url)) throw new CliError(`${url} is no address of a server`)
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const response = await ask(new URL('/v1/backup', url), authorization).catch((error: unknown) => {
    throw new CliError(`${url} does not answer (${reasonOf(error)}); is the server running? --data copies without one`)
  })
  if (response.statusCode !== 200)
    throw new CliError(`${url} answered ${response.statusCode}${await messageOf(response)}`)
  await writeNew(file, response, Number(response.headers['content-length']))
}

/** Not with fetch, which gives up after five minutes without an answer: the server makes the copy first. */
function ask(url: URL, authorization: string): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { authorization }, agent: false }, resolve).on('error', reject)
    asked.setTimeout(silenceMsMax, () => asked.destroy(new Error(`nothing came for ${silenceMsMax / 60_000} minutes`)))
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
    await takeBackup(partial, file, 'the sluice.db of the server')
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
