// @ts-check

/** Host functions of a guest for tests (see src/api/bare-guest.ts). Arguments and results cross as JSON text. */
;(sync, start) => {
  const { parse, stringify } = JSON
  const waiting = { __proto__: null }
  let last = 0
  const rebuilt = ({ name, message }) => Object.assign(new Error(message), { name })
  Object.assign(globalThis, {
    callHost: (...args) => {
      const answer = parse(sync(stringify(args)))
      if (answer.error) throw rebuilt(answer.error)
      return answer.value
    },
    callHostLater: (...args) =>
      new Promise((resolve, reject) => {
        waiting[++last] = { resolve, reject }
        start(last, stringify(args))
      }),
  })
  return (id, text) => {
    const answer = parse(text)
    if (answer.error) waiting[id].reject(rebuilt(answer.error))
    else waiting[id].resolve(answer.value)
  }
}
