import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, createRecordingTransport, type RecordingTransport } from '@sluice/delivery'
import { createSluice, type Sluice, type SluiceOptions } from 'sluice'
import { afterEach } from 'vitest'
import { createHastyClock } from './faults/hasty-clock.ts'
import { type ApiClient, createApiClient } from './http/api-client.ts'
import { shop } from './scenes/shop.ts'

/** A workspace that a pipeline of this process serves. */
export interface ServedWorkspace {
  readonly sluice: Sluice
  /** Records what is sent to destinations. Unused when the options have a transport, or allow addresses. */
  readonly transport: RecordingTransport
  /** Calls the API; every answer is compared with the OpenAPI document. */
  api(authorization: string): Promise<ApiClient>
}

export interface ServeOptions extends Partial<SluiceOptions> {
  /** What destinations answer; default 200. */
  readonly answer?: Answer
}

/** Serves workspaces for the tests of one file. */
export interface WorkspaceServer {
  /** Serves a workspace with the defaults of the file and these options. */
  (options?: ServeOptions): Promise<ServedWorkspace>
  /** Returns the path of a file in a folder that exists for one test. */
  file(name: string): string
}

/**
 * Serves workspaces in this process, and stops them after each test, the newest first. Call it once, at the top of a file.
 *
 * Unless the options say otherwise, the workspace is `shop`, the store is in memory, user code runs in this thread,
 * destinations are recorded, and no wait takes real time.
 */
export function serveWorkspaces(defaults: ServeOptions = {}): WorkspaceServer {
  const running: Sluice[] = []
  let folder: string | undefined
  afterEach(async () => {
    for (const sluice of running.splice(0).reverse()) await sluice.stop()
    if (folder) rmSync(folder, { recursive: true })
    folder = undefined
  })
  const serve = async (given: ServeOptions = {}): Promise<ServedWorkspace> => {
    const { answer, ...options } = { ...defaults, ...given }
    const transport = createRecordingTransport(answer)
    const sluice = await createSluice({
      workspace: shop('http://hook.test/'),
      sandbox: { mode: 'in-process' },
      clock: createHastyClock(),
      transport: options.allowAddresses ? undefined : transport,
      ...options,
    })
    running.push(sluice)
    return { sluice, transport, api: (authorization) => createApiClient(sluice, authorization) }
  }
  return Object.assign(serve, {
    file: (name: string) => {
      folder ??= mkdtempSync(join(tmpdir(), 'sluice-served-'))
      return join(folder, name)
    },
  })
}
