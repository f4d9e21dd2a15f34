import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { lineOfProcess } from './line-of-process.ts'

const logged = '{"level":30,"time":0,"pid":9,"process":2,"name":"sluice","port":8080,"msg":"serving"}'

describe('a line of one of several processes', () => {
  it('is passed unchanged when it is of the log, which has the number', () => {
    expect(lineOfProcess(2, logged, 'json')).toBe(logged)
  })

  it('is text for people where the log is, with the number', () => {
    expect(stripVTControlCharacters(lineOfProcess(2, logged, 'text'))).toMatch(
      /^\d\d:\d\d:\d\d info serving {2}process=2 port=8080$/,
    )
  })

  it('begins with the number when it is another, or was cut because its process ended', () => {
    for (const format of ['json', 'text'] as const)
      for (const line of ['RangeError: too deep', logged.slice(0, 40), ''])
        expect(lineOfProcess(2, line, format)).toBe(`process 2: ${line}`)
  })
})
