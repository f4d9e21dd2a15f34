import { convert, instrumentationError, type MappingError, type TypedEvent, valueAt } from '../../kit/index.ts'
import { knownPerson } from './person.ts'

export const nameLengthMax = 100 // Customer.io refuses longer names of events

const screenName = (name: string): string => `Viewed ${name} Screen`
const aroundScreen = screenName('').length

/** Returns the name of a track, page or screen event in Customer.io, which takes 100 bytes for events of anonymous people. */
export function eventNameOf(event: TypedEvent): string | MappingError {
  const name = givenName(event)
  if (typeof name !== 'string' || name === '') return instrumentationError('the event needs a name that is a string')
  const isAnonymous = knownPerson(event) === undefined
  if (event.type === 'screen')
    return screenName(isAnonymous ? convert.cutBytes(nameLengthMax - aroundScreen)(name) : name)
  if (isAnonymous) return convert.cutBytes(nameLengthMax)(name)
  return event.type === 'track' ? convert.cut(nameLengthMax)(name) : name
}

function givenName(event: TypedEvent): unknown {
  switch (event.type) {
    case 'page':
      return event['name'] || valueAt(event, ['properties', 'url'])
    case 'screen':
      return event['event'] || event['name'] || valueAt(event, ['properties', 'name'])
    default:
      return event['event']
  }
}
