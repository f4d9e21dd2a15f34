// ada@mail.test → a…@mail.test
export function maskEmail(email) {
  return typeof email === 'string' ? email.replace(/^(.)[^@]*/, '$1…') : email
}
