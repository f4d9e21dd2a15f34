// Maps the examples of all destinations, their settings parsed first, and prints their requests as JSON.
import process from 'node:process'
import { builtInDestinations, mapEvent, parseSettings } from '@sluice/destinations'

const mapped = builtInDestinations.map(({ examples, ...definition }) =>
  examples.map(({ event, answers, settings, sourceId, connection, now = Date.UTC(2024, 0) }) => {
    const context = { now, answers: new Map(Object.entries(answers ?? {})), sourceId, connection }
    const parsed = parseSettings({ examples, ...definition }, settings)
    return mapEvent({ examples, ...definition }, event, parsed.ok ? parsed.settings : {}, context)
  }),
)
process.stdout.write(JSON.stringify(mapped))
