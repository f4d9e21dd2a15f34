import type { GuestApiPart } from '../guest-api-part.ts'

/**
 * `@rs/userAgentParser/v1`, RudderStack's library for User-Agent texts: the interface of ua-parser-js over
 * `@sluice/user-agent`. Source: packages/docs/behaviour/user-code.md#libraries-of-rudderstack.
 */
export function userAgentLibrary(): GuestApiPart {
  return { modules: { '@rs/userAgentParser/v1': moduleText } }
}

const moduleText = `
  import { parse } from '@sluice/user-agent'
export function UAParser(userAgent) {
  if (new.target === undefined) return new UAParser(userAgent).getResult()
  let text, found
  const read = () => (found ??= parse(text))
  this.setUA = (next) => {
    text = typeof next === 'string' ? next : ''
    found = undefined
    return this
  }
  this.getUA = () => text
  this.getBrowser = () => ({ ...read().browser })
  this.getCPU = () => ({ ...read().cpu })
  this.getDevice = () => ({ ...read().device })
  this.getEngine = () => ({ ...read().engine })
  this.getOS = () => ({ ...read().os })
  this.getResult = () => ({
    ua: text,
    browser: this.getBrowser(),
    engine: this.getEngine(),
    os: this.getOS(),
    device: this.getDevice(),
    cpu: this.getCPU(),
  })
  this.setUA(userAgent)
}
`
