import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { failure, run } from '../command.ts'
import type { Step } from '../step.ts'

/** Runs the TypeScript blocks of the README and of the guides on embedding and stages, as a new user would. */
export const readme: Step = {
  name: 'readme',
  summary: 'the code blocks of the README and of the guides on embedding and stages that need no framework',
  async run(bench) {
    const cwd = await bench.copyOfProject('readme')
    const server = createServer((request, response) => request.resume().on('end', () => response.end('ok')))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const problems: string[] = []
    let count = 0
    for (const page of ['README.md', 'packages/docs/guides/embed.md', 'packages/docs/guides/compose.md'])
      for (const code of runnableBlocks(readFileSync(join(bench.root, page), 'utf8'))) {
        const file = `block-${count}.mjs`
        count += 1
        const { code: plain } = await transform(code.replaceAll('http://127.0.0.1:9000', url), { loader: 'ts' })
        writeFileSync(join(cwd, file), plain)
        const problem = failure(
          `block ${count} (${page})`,
          await run(process.execPath, [file], { cwd, timeMs: 60_000 }),
        )
        if (problem !== undefined) problems.push(problem)
      }
    server.close()
    return { problems, notes: [`${count} blocks ran`] }
  },
}

/** Blocks that import packages of ours only, and stop what they start. An older Node has not built the driver of SQLite here. */
function runnableBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```ts\n(.*?)^```/gms)]
    .map(([, code = '']) => code)
    .filter((code) =>
      [...code.matchAll(/from '([^']+)'/g)].every(([, name = '']) => /^(?:@sluice\/core|sluice)$/.test(name)),
    )
    .filter((code) => code.includes('sluice.stop()'))
}
