// Maps the examples of all destinations and prints their requests as JSON. Takes the parsed settings of each example
// from standard input, because parsing them needs code that is made at run time.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { builtInDestinations, mapEvent } from '@sluice/destinations'

const settings = JSON.parse(readFileSync(0, 'utf8'))
const mapped = builtInDestinations.map(({ examples, ...definition }, index) =>
  examples.map(({ event, answers, sourceId, connection, now = Date.UTC(2024, 0) }, place) => {
    const context = { now, answers: new Map(Object.entries(answers ?? {})), sourceId, connection }
    return mapEvent({ examples, ...definition }, event, settings[index][place], context)
  }),
)
process.stdout.write(JSON.stringify(mapped))
