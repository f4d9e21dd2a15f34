// @ts-check

import { parse } from '@sluice/user-agent'

/** @typedef {typeof import('@rs/userAgentParser/v1').UAParser} Parser */

/**
 * @this {InstanceType<Parser>}
 * @returns {object | void} a result when it is called without `new`
 */
export function UAParser(userAgent) {
  if (new.target === undefined)
    return new /** @type {Parser} */ (/** @type {unknown} */ (UAParser))(userAgent).getResult()
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
