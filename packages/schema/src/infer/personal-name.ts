/** Words of keys that name what is known of a person, whatever its values look like. */
const personalNames: Readonly<Record<string, string>> = {
  address: 'address',
  avatar: 'picture',
  birthdate: 'birthday',
  birthday: 'birthday',
  dateofbirth: 'birthday',
  dob: 'birthday',
  email: 'email',
  emailaddress: 'email',
  familyname: 'name',
  firstname: 'name',
  fullname: 'name',
  gender: 'gender',
  givenname: 'name',
  ip: 'ip',
  ipaddress: 'ip',
  lastname: 'name',
  middlename: 'name',
  mobile: 'phone',
  passport: 'document',
  phone: 'phone',
  phonenumber: 'phone',
  postalcode: 'address',
  ssn: 'document',
  street: 'address',
  streetaddress: 'address',
  surname: 'name',
  telephone: 'phone',
  username: 'name',
  zip: 'address',
  zipcode: 'address',
}

/** Returns the kind of personal data that a key names, such as `name` for `firstName`; undefined when it names none. */
export function personalName(key: string): string | undefined {
  const plain = key.toLowerCase().replaceAll(/[^a-z]/g, '')
  return Object.hasOwn(personalNames, plain) ? personalNames[plain] : undefined
}
