package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.instruction.BoundInstruction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What is said of a module, and what to do about it, by the rule that it breaks.
///
/// A row is the id of a rule, with a name behind a point where the rule has several wordings; the
/// section of the manual where it is neither the rule's nor the instruction's; the message; and
/// below that the remedy. `{0}` is what the finding is about, `{1}` and so on what else is known.
record Wording(Rule rule, String section, String message, String remedy) {
    private static final String TABLE =
            """
            version-too-low: {0} needs PTX {1}; the module says .version {2}
              write .version {1} or later
            version-too-low.target 11.1.2: {1} needs PTX {2}; the module says .version {3}
              write .version {2} or later
            version-too-low.ignored-source: a predicate that says to ignore the source needs PTX 7.5; the module says .version {1}
              write .version 7.5 or later, or give a source size
            unsupported-target: {0} needs {1}; the module says .target {2}
              write .target {3}
            unsupported-target.counted-arrival: {1} with a count needs sm_90 or higher; the module says .target {2}
              write .noComplete, or arrive once for each
            unknown-version: {0} {1}; the newest this reads is {2}
              write {0} {2}
            unknown-target: there is no target {1}
              targets are sm_50 to sm_121, with a or f behind some
            unknown-target.option: '{1}' is neither a target such as sm_90a nor an option
              options are texmode_unified, texmode_independent, debug, map_f64_to_f32
            duplicate-definition 5.4: {0} is defined twice in this module
              rename one of them
            duplicate-definition.scope 5.4: {0} is declared twice in this scope
              rename one of them, or put one into a block of its own
            unknown-name 4.4: {1} is neither declared before this line nor a label in sight
              declare it before this line; labels are seen in their own block and inside it
            unknown-name.alias 11.2.3: {0}: there is no function {1} declared before this line
              declare it first: .visible .func {1}();
            unknown-name.call-target 11.3.2: there is no function {0} declared before this line
              declare it first: .func {0}();
            unknown-label: there is no label {0} in sight
              labels are seen in their own block and the blocks inside it
            not-a-label: {1} is no label
              name a label of this function
            not-a-label.targets: {0} names no .branchtargets before this line
              write  name: .branchtargets L0, L1;  before the branch
            unknown-inlining-place: inlined_at {1} {2} {3}: no {0} before this line has that place
              write {0} with that place first
            undeclared-register 5.4: register {1} is not declared before this line in this scope
              {2}
            guard-not-a-predicate 9.3: {0} is .{1}; a guard is .pred
              setp.ne makes a predicate of it
            unknown-component.scalar 6.4.3: {0}: {1} is no vector
              leave .{2} out
            unknown-component.vector 6.4.3: {0}: {1} has {2} components
              use .x .y .z .w or .r .g .b .a

            misplaced-state-space.register 5.1.1: .reg at module level
              declare it inside the function that uses it
            misplaced-state-space.local 5.1.5: .local at module level
              declare it inside the function that uses it
            samplerref-without-independent-mode 5.3: .samplerref in a module of texmode_unified
              write texmode_independent behind the target
            type-not-declarable 5.2.3: .{1} is an instruction type; no variable has it
              declare it .b{2}
            predicate-outside-register 5.4.1: a predicate is a scalar register
              keep it in memory as .u8 and compare
            opaque-type-in-register 5.3: .{1} in a register
              declare it .global at module level, or as a kernel parameter
            register-array 5.4.6: {0} is an array of registers
              use a range: %r<n>, or put the array in .local
            vector-too-wide.variable 5.4.2: .v{1} .{2} has {3} bits; at most 128
              use a shorter vector, or an array
            vector-too-wide.v8 5.4.2: a variable is .v2 or .v4, not .v8
              use an array
            managed-outside-global 5.4.8: .attribute(.managed) on a .{1} variable
              declare it .global, or leave the attribute out
            initializer-outside-global-or-const 5.4.4: an initial value in .{1}
              only .global and .const variables have one; store it at run time
            initializer-of-extern 5.4.4: an initial value in an external declaration
              leave .extern or the value out
            missing-array-size 5.4.3: {0} has no size
              give the size, an initial value, or .extern
            wrong-initializer.half: an initial value of .{1}
              declare it .b{2} and give the bits
            wrong-initializer.one: one value where a list in braces must stand
              the nesting of braces follows the dimensions
            wrong-initializer.list: a list where one value must stand
              the nesting of braces follows the dimensions
            wrong-initializer.surplus: {1} values; the array holds {2}
              leave the surplus out
            wrong-initializer.integer: the constant {1} does not suit .{2}
              write an integer
            wrong-initializer.number: the constant {1} does not suit .{2}
              write it with a point, or as 0f or 0d and its bits
            wrong-initializer.masked: a masked value in .{1}
              masks give bytes: use .u8 or .b8
            wrong-initializer.unknown: {1} is neither a variable nor a function declared before this line
              declare it before this line
            wrong-initializer.space: {1} lives in .{2}; only .global and .const have addresses at load time
              store the address at run time
            wrong-initializer.address: an address in .{1}
              declare it .u64 (or .u8 with a mask)
            wrong-kernel-parameter: parameter {0} of a kernel is .{1}; it must be .param
              write .param, and load it with ld.param
            wrong-kernel-parameter.size: parameter {0} of a kernel is an array without a size
              write the size in the brackets
            misplaced-directive.kernel: {0} belongs to a .func; {1} is an .entry
              leave it out
            misplaced-directive.function: {0} belongs to an .entry; {1} is a .func
              leave it out
            wrong-directive-values: {0} has {1}; it takes {2}
              {3}
            wrong-directive-values.positive: {0} with a number below 1
              write a positive number
            removed-directive: {0} was removed in PTX 2.1
              write .minnctapersm
            conflicting-directives: .{1} and .{2} on one kernel
              keep one of them

            unknown-instruction 4.3.2: '{0}' is no PTX instruction
              {1}
            unknown-instruction.product 9.7.14.5: {1}
              heddle forms lists what there is
            unknown-qualifier: '{0}' is no qualifier of any instruction
              {1}
            repeated-qualifier: {0} may not stand in {1} twice
              leave one of them out
            qualifier-not-allowed: {0} may not stand in {1}
              {2}
            qualifier-not-allowed.beside: {0} may not stand in {1} beside .{2}
              leave one of them out
            qualifier-not-allowed.call: .{1} may not stand in {0}
              leave it out; call takes .uni alone
            qualifier-not-allowed.saturation: .sat in {0}: .{1} holds every .{2}
              leave .sat out
            qualifier-not-allowed.rounding: .{1} in {0} needs sm_20 or higher
              leave it out
            missing-qualifier: {0} lacks {1}
              write {2}
            missing-qualifier.head: {1} is no instruction; {0} begins {2}
              put that qualifier right behind the opcode
            missing-qualifier.rounding: {0} lacks .rm, .rn, .rp or .rz
              write for example {1}
            missing-sync: {0} without .sync was removed in PTX 6.4 for sm_70 and higher
              write {1}.sync and a membermask as last operand
            conflicting-cache-qualifiers: .{1} and {0} both say how to cache
              keep one of them
            cache-qualifier-outside-global: {0} speaks of global memory; the instruction says .{1}
              leave {0} out
            wrong-cache-width: {0} takes .v8.b32 or .v4.b64, 256 bits at once
              use .L1::evict_..., or a createpolicy and .L2::cache_hint
            ordered-private-access: {0} is for memory that other threads see; the instruction says .{1}
              leave {0} and its scope out

            wrong-operand-count: {0} has {1}; it takes {2}
              {3}
            wrong-operand-count.callee: call names no function
              write call (result), function, (arguments)
            wrong-operand-count.call: too many operands in call
              write call (result), function, (arguments), prototype
            missing-call-prototype: {1} is no function declared before this line
              declare the function, or name a .callprototype or .calltargets for an indirect call
            missing-call-prototype.kind: {1} is neither a .callprototype nor a .calltargets
              write  name: .callprototype (.param .b32 _) _ (.param .b32 _);  before the call
            wrong-call-arguments: {1} {2} does not match {3}
              sizes and types must agree; copy it into a .param of the right type
            wrong-call-arguments.count: the call has {1} {2}s; the function has {3}
              give {3} in parentheses, in the order of the declaration
            wrong-operand-kind.result: a constant where the result of the call goes
              name a register
            wrong-operand-kind.register: {0} where a register must stand
              {1}
            wrong-operand-kind.value: {0} where a register or a constant must stand
              {1}
            wrong-operand-kind.constant: {0} where a constant must stand
              write the number itself; it must be known now
            wrong-operand-kind.written: the constant {0} where a register must stand: {1} writes this operand
              name a register to write to
            wrong-operand-kind.pair: {0} where two destinations must stand
              write {0}|p with a predicate p
            wrong-operand-kind.second: {0}: {1} has one destination
              leave |{2} out
            wrong-operand-kind.label: {1} is a label; its address cannot be taken
              branch to it with bra, or list it in .branchtargets
            wrong-operand-kind.no-address: {1} has no address
              name a variable in memory
            wrong-operand-kind.address: {0} where an address in brackets must stand
              write [{0}]
            wrong-operand-kind.address-register: {0} where a register with an address must stand
              mov the address into a .b64 register first
            wrong-operand-kind.base: {1} cannot be an address
              mov it into a register first
            wrong-operand-kind.no-variable: {1} is no variable; only a variable or a register can be an address
              declare the variable before this line, or use a register
            wrong-operand-kind.array: {1} is no array
              write [{1}+offset]
            wrong-operand-kind.several: {0} where one address must stand
              write one register or name
            wrong-operand-kind.displaced: {1}, an address with an offset, before coordinates
              leave the offset out
            wrong-operand-kind.map: {0} where [map, {coordinates}] must stand
              write [map, {x, y}]
            wrong-operand-kind.map-alone: {0} where [map, {coordinates}] must stand
              write [map, {x, y}] with one coordinate a dimension
            wrong-operand-kind.coordinates: {0} where coordinates in braces must stand
              write {x, y} with one coordinate a dimension
            wrong-operand-kind.texture: {0} where a name with coordinates must stand
              write [{1}, {x, y}]
            wrong-operand-kind.reference: {0} where a .{1} or a register with its handle must stand
              name a variable of .{1}, or a .u64 register
            wrong-operand-kind.displaced-reference: {0} where a .{1} or a register with its handle must stand
              leave the offset out
            wrong-operand-type: {0} is .{1}; {2} takes {3} here
              {4}
            wrong-operand-type.callee: {0} is .{1}; a function's address is .u64
              use a .b64 register
            wrong-operand-type.address: the address of {1} in mov.{2}
              use mov.u64 (or mov.u32 for an address of 32 bits)
            wrong-operand-type.b128: {0} is .b128; {1} takes 64 bits at most
              use a .f32 or .f64 register
            wrong-operand-type.cube: {1}: the coordinates of a cube are .f32
              write .f32 as the last type
            wrong-operand-type.coordinate: {0} is .{1}; this coordinate of {2} is .{3}
              use a .b32 register
            wrong-address-type: {0} is .{1}; an address is an integer of 32 or 64 bits
              use a .b64 register
            wrong-address-width: an address of 32 bits in {1}; the module says .address_size 64
              use a .b64 register
            constant-address: the constant address {0}; only .local takes one
              put it into a register first
            wrong-state-space: {1} lives in .{2}; {3} addresses .{4}
              use .{2} instead of .{4}
            wrong-state-space.generic: {1} lives in .{2}; {3} addresses generic memory
              write {4}.{2}
            wrong-state-space.copy: cp.async copies from .global to .shared; the order says the opposite
              write .shared.global
            write-to-parameter: {1} is an input parameter; it cannot be written
              copy it into a register or a .local variable
            sink-not-allowed: '_' may not stand here in {1}
              name a register
            sink-not-allowed.source: '_' may not be read
              name a register
            missing-sink: {1} returns no state; '_' stands here
              write _ as first operand, or .shared::cta for a barrier of this CTA
            misused-special-register: {0} may be read by mov and cvt alone, not by {1}
              mov it into a register first
            misused-special-register.written: {0} can only be read
              write to a register of your own
            misused-special-register.component: {0} has components: .x, .y, .z (and .w, which is 0)
              write {1}.x
            negated-operand: '{1}' may not stand before an operand of {2}
              negate with {3} first
            negated-operand.halves: '-' before {1}, which is .f16x2
              use a .b32 or .s32 register
            negated-operand.both: '-' before operand c and before one of a and b of {1}
              negate one of them with neg first
            wrong-video-selector: .{1} may not stand behind operand {2}
              {3}
            wrong-video-selector.alone: {0}: there is no operand c to merge it into
              leave the selector out
            wrong-video-selector.second: {0} beside a second operation
              leave the selector out
            wrong-constant-type: the constant {0} does not suit .{1} in {2}
              {3}
            constant-out-of-range: {1} is out of range; {2} to {3}
              write a number in that range
            constant-out-of-range.only: {0}: only {1} may stand here
              write {1}
            wrong-copy-size.l2: {1} bytes; .cg copies 16
              write 16, or .ca
            wrong-copy-size: {1} bytes; .ca copies 4, 8 or 16
              write 4, 8 or 16
            wrong-barrier-thread-count: a barrier for {1} threads; it takes a multiple of 32, the size of a warp
              count whole warps
            wrong-barrier-thread-count.none: an arrival for 0 threads
              name the number of threads that take part
            wrong-setmaxnreg-count: {1} registers; 24 to 256, a multiple of 8
              write {2}
            vector-as-scalar: {0} is a vector of {1} where a scalar must stand
              name a component: {0}.x
            vector-too-wide: .{1}.{2} moves {3} bits; at most 128 (256 of global memory from PTX 8.8 and sm_100 on)
              split it into two instructions
            mixed-vector-elements.name 6.4.3: {0} mixes registers of different sizes
              all elements of a vector have one size
            mixed-vector-elements: {0} mixes registers of different sizes
              all elements of a vector have one size
            mixed-vector-elements.types: {0} is .{1} beside a register of .{2}
              use registers of one type, or of .b{3}
            wrong-vector-size: {0} has {1}; {2} moves {3}
              {4}
            wrong-vector-size.one: {0} is one value; {1} moves {2}
              write {{0}{3}
            wrong-vector-size.coordinates: {0} has {1} coordinates; {2} takes {3}
              write {3}, the innermost dimension first
            wrong-vector-size.texture: {0} has {1} coordinates; {2} takes {3}
              write {3}
            wrong-vector-size.move: mov packs or unpacks, not both at once
              go through a scalar register, or use mov.v2
            wrong-vector-size.typed: {0} in mov.{1}; only mov.b packs and unpacks
              use mov.b{2}
            wrong-vector-size.packed: {0} holds {1} bits; mov.{2} moves {3}
              use mov.b{1}, or other registers

            aligned-under-divergence: {0} is skipped by some lanes of a warp; all of them must execute it together
              move it to where all lanes of the warp pass, or make the condition the same for the warp
            cp-async-read-before-wait 9.7.9.25.3.3: this reads bytes that a cp.async may still be writing
              put cp.async.commit_group and cp.async.wait_group (or cp.async.wait_all), and a barrier where other threads copy, before this line
            missing-proxy-fence 9.7.15.4: {0} reads shared memory through the async proxy; a store before it has no fence.proxy.async behind it
              put fence.proxy.async.shared::cta behind the stores, before the barrier
            missing-wgmma-fence 9.7.15.7.1: {1} was written after the last wgmma.fence
              put wgmma.fence.sync.aligned between
            missing-wgmma-fence.first 9.7.15.7.1: no wgmma.fence on a path from the entry to this first wgmma
              put wgmma.fence.sync.aligned before it
            wgmma-register-before-wait 9.7.15.7.3: {1} is {2} while a wgmma still uses it
              put wgmma.commit_group and wgmma.wait_group before this line
            """;

    /// Read when the first finding is told: most modules have none.
    private static final Map<String, Wording> BY_NAME = read();

    private static Map<String, Wording> read() {
        Map<String, Wording> read = new HashMap<>();
        List<String> lines = TABLE.lines().filter(line -> !line.isEmpty()).toList();
        for (int i = 0; i < lines.size(); i += 2) {
            int colon = lines.get(i).indexOf(": ");
            String[] heading = lines.get(i).substring(0, colon).split(" ", 2);
            Rule rule = Rule.named(heading[0].split("[.]", 2)[0]).orElseThrow();
            String section = heading.length > 1 ? heading[1] : "";
            String message = lines.get(i).substring(colon + 2);
            read.put(heading[0], new Wording(rule, section, message, lines.get(i + 1).strip()));
        }
        return read;
    }

    /// All names that rows have.
    static List<String> names() {
        return new ArrayList<>(BY_NAME.keySet());
    }

    /// The row of this name.
    static Wording of(String name) {
        Wording found = BY_NAME.get(name);
        if (found == null) {
            throw new IllegalArgumentException(name);
        }
        return found;
    }

    /// A text with these in its places.
    static String filled(String text, List<Object> with) {
        StringBuilder filled = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '{' && Character.isDigit(text.charAt(i + 1)) && text.charAt(i + 2) == '}') {
                filled.append(shown(with.get(text.charAt(i + 1) - '0')));
                i += 2;
            } else {
                filled.append(c);
            }
        }
        return filled.toString();
    }

    private static String shown(Object what) {
        return switch (what) {
            case Operand operand -> OperandExcerpt.of(operand);
            case Instruction instruction -> instruction.mnemonic();
            case BoundInstruction instruction -> instruction.mnemonic();
            case Variable variable -> variable.name();
            case ScalarType type -> type.keyword();
            case StateSpace space -> space.keyword();
            case Problem.Spot spot -> spot.text();
            default -> what.toString();
        };
    }
}
