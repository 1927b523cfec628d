# Who may do what: the same decision as src/domain/access/evaluate.ts, from the same data (data.json, beside this file).
#
# Input: {subject, roles, scopes, tenant_id, permissions, resource_tenant_id, owner}. `scopes` is null for a credential
# that is not narrowed; one of `permissions` is needed, none means that any valid credential will do; `owner` is null
# where ownership is not the question.
package switchyard.authz

import rego.v1

default allow := false

allow if {
	well_formed
	tenant_allowed
	owner_allowed
	permitted
}

# A question that lacks a field, or has one of another kind, is no question.
well_formed if {
	is_string(input.subject)
	is_string(input.tenant_id)
	is_string(input.resource_tenant_id)
	texts(input.roles)
	texts(input.permissions)
	texts_or_null(input.scopes)
	text_or_null(input.owner)
}

tenant_allowed if input.resource_tenant_id == input.tenant_id

tenant_allowed if {
	has_role(data.switchyard.roles_over_tenants)
	in_scope(data.switchyard.crossing_permission)
}

owner_allowed if input.owner == null

owner_allowed if input.owner == input.subject

owner_allowed if has_role(data.switchyard.roles_over_others)

permitted if count(input.permissions) == 0

permitted if {
	some permission in input.permissions
	some role in input.roles
	permission in data.switchyard.grants[role]
	in_scope(permission)
}

# Scopes narrow: `resource:action` word for word, or `resource:*`.
in_scope(_) if input.scopes == null

in_scope(permission) if permission in input.scopes

in_scope(permission) if concat(":", [split(permission, ":")[0], "*"]) in input.scopes

has_role(wanted) if {
	some role in input.roles
	role in wanted
}

texts(value) if {
	is_array(value)
	every item in value {
		is_string(item)
	}
}

texts_or_null(value) if texts(value)

texts_or_null(null)

text_or_null(value) if is_string(value)

text_or_null(null)
