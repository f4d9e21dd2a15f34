import { readStudioFiles } from '@sluice/studio'
import { createSluice, type Sluice } from 'sluice'
import { afterAll, beforeAll, expect, it } from 'vitest'

let sluice: Sluice
beforeAll(async () => {
  sluice = await createSluice({ studio: readStudioFiles() })
})
afterAll(() => sluice.stop(0))

const fileAt = async (path: string): Promise<Response> => sluice.fetch(new Request(`http://sluice.test${path}`))

it('the studio includes the playground, which states its policy itself, at addresses relative to its own', async () => {
  expect((await fileAt('/studio/playground')).headers.get('location')).toBe('/studio/playground/index.html')
  const response = await fileAt('/studio/playground/index.html')
  expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
  const text = await response.text()
  expect(text).toMatch(/http-equiv="Content-Security-Policy"\s+content="default-src 'none'; script-src 'self'/)
  const [, script = ''] = /src="\.\/([^"]+\.js)"/.exec(text) ?? []
  const file = await fileAt(`/studio/playground/${script}`)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(file.headers.get('cache-control')).toContain('immutable')
  expect((await fileAt('/studio/playground/../../package.json')).status).toBe(404)
})
