# Sentences about the policy, run by `opa test policies`.
package switchyard.authz_test

import rego.v1

import data.switchyard.authz

editor := {
	"subject": "token:e",
	"roles": ["editor"],
	"scopes": null,
	"tenant_id": "t",
	"permissions": ["tasks:write"],
	"resource_tenant_id": "t",
	"owner": null,
}

admin := object.union(editor, {"roles": ["admin"]})

asked(base, changes) := object.union(base, changes)

test_a_role_may_what_it_holds if authz.allow with input as editor

test_a_role_may_not_what_it_does_not_hold if {
	not authz.allow with input as asked(editor, {"permissions": ["tasks:delete"]})
}

test_one_of_several_permissions_is_enough if {
	authz.allow with input as asked(editor, {"permissions": ["tasks:delete", "tasks:read"]})
}

test_without_a_permission_any_credential_will_do if {
	authz.allow with input as asked(editor, {"roles": [], "permissions": []})
}

test_without_a_role_there_is_no_permission if {
	not authz.allow with input as asked(editor, {"roles": []})
}

test_a_role_that_nobody_knows_holds_nothing if {
	not authz.allow with input as asked(editor, {"roles": ["root"]})
}

test_agent_stands_outside_the_ladder if {
	authz.allow with input as asked(editor, {"roles": ["agent"], "permissions": ["workers:write"]})
	not authz.allow with input as asked(editor, {"roles": ["agent"], "permissions": ["automation:read"]})
}

test_scopes_narrow if {
	authz.allow with input as asked(editor, {"scopes": ["tasks:write"]})
	authz.allow with input as asked(editor, {"scopes": ["tasks:*"]})
	not authz.allow with input as asked(editor, {"scopes": ["tasks:read"]})
	not authz.allow with input as asked(editor, {"scopes": []})
}

test_scopes_never_add if {
	not authz.allow with input as asked(editor, {"scopes": ["users:*", "users:read"], "permissions": ["users:read"]})
}

test_no_scope_stands_for_every_resource if {
	not authz.allow with input as asked(editor, {"scopes": ["*", "*:*", "*:write", "tasks", "tasks:"]})
}

test_another_tenant_is_for_admins if {
	not authz.allow with input as asked(editor, {"resource_tenant_id": "u"})
	authz.allow with input as asked(admin, {"resource_tenant_id": "u"})
}

test_a_narrowed_admin_crosses_with_tenants_read_alone if {
	crossing := asked(admin, {"resource_tenant_id": "u"})
	not authz.allow with input as asked(crossing, {"scopes": ["tasks:*"]})
	authz.allow with input as asked(crossing, {"scopes": ["tasks:*", "tenants:read"]})
	authz.allow with input as asked(crossing, {"scopes": ["tasks:*", "tenants:*"]})
}

test_what_is_ones_own_may_be_changed if authz.allow with input as asked(editor, {"owner": "token:e"})

test_what_is_anothers_needs_operator if {
	not authz.allow with input as asked(editor, {"owner": "token:x"})
	not authz.allow with input as asked(editor, {"owner": "token:x", "roles": ["agent"]})
	authz.allow with input as asked(editor, {"owner": "token:x", "roles": ["operator"]})
	authz.allow with input as asked(admin, {"owner": "token:x"})
}

test_a_question_that_lacks_a_field_is_refused if {
	every field, _ in editor {
		not authz.allow with input as object.remove(admin, [field])
	}
}

test_a_question_of_another_form_is_refused if {
	wrong := [
		{"subject": 1},
		{"subject": null},
		{"roles": "admin"},
		{"roles": [1, "admin"]},
		{"roles": null},
		{"scopes": "tasks:write"},
		{"scopes": [true]},
		{"scopes": {"tasks:write": true}},
		{"tenant_id": null},
		{"permissions": null},
		{"permissions": "tasks:write"},
		{"permissions": [null]},
		{"resource_tenant_id": ["t"]},
		{"owner": false},
	]
	every change in wrong {
		not authz.allow with input as asked(admin, change)
	}
	every nothing in [{}, [], "admin", true, null] {
		not authz.allow with input as nothing
	}
}
