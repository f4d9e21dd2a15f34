import { describe, expect, it } from 'vitest'
import { usageProblems } from './usage-problems.ts'

const routes = ['GET /v2/sources', 'POST /v2/sources', 'DELETE /v2/sources/{id}']

describe('the look-up of commands that cannot run', () => {
  const cases: readonly (readonly [line: string, ...problems: string[]])[] = [
    ['SLUICE_STORE=x sluice cluster drain 5f0c --wait # in turn'],
    ['sluice cluster drain 5f0c --wate', 'sluice cluster drain has no --wate'],
    ['sluice cluster drain', 'sluice cluster drain takes 1 to 1 arguments, not none'],
    ['sluice cluster drian 5f0c', 'sluice cluster has no command drian'],
    ['sluice serve --port many', expect.stringContaining('a port is a whole number') as unknown as string],
    ['npx pnpm@10.34.9 run check; pnpm bench endtoend --json > a.json && npm test'],
    ['npm run chekc', 'npm: there is no script chekc'],
    ['pnpm bench endtoned', 'there is no bench endtoned'],
    ['npm install sluice @sluice/storage express'],
    ['npm install @sluice/storgae', 'there is no package @sluice/storgae'],
    ['curl -X DELETE -H "a: b" $API/v2/sources/web'],
    ['curl -d \'{"a":"b c"}\' http://127.0.0.1:8080/v2/sources?validate=true'],
    ['curl -X PUT $API/v2/sources/web', 'there is no route PUT /v2/sources/web'],
    ['slucie serve', 'unknown program: slucie'],
    ['.ci/rum', 'there is no .ci/rum'],
  ]
  it.each(cases)('of %s', (line, ...problems) => {
    expect(usageProblems(line, routes)).toEqual(problems)
  })
})
